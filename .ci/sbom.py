"""Prints the crates that are compiled into the command, as CycloneDX 1.5. Usage: sbom.py TARGET SEED

Only dependencies of the command itself are listed, not those of build scripts or tests. SEED makes
the serial number, so that the same release has the same one.
"""

import hashlib
import json
import os
import subprocess
import sys
import time
import uuid

target, seed = sys.argv[1:]
metadata = json.loads(
    subprocess.check_output(
        ["cargo", "metadata", "--locked", "--format-version=1", "--filter-platform", target]
        + ["--manifest-path", "crates/cli/Cargo.toml", "--features", "full"]
    )
)
packages = {package["id"]: package for package in metadata["packages"]}
nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}


def dependencies(package):
    """Returns the packages that are linked with a package: not build or development dependencies."""
    deps = nodes[package]["deps"]
    return sorted(d["pkg"] for d in deps if any(kind["kind"] is None for kind in d["dep_kinds"]))


def is_macro(package):
    return any("proc-macro" in t["kind"] for t in packages[package]["targets"])


root = next(id for id, package in packages.items() if package["name"] == "urlsift")
reached, queue = {root}, [root]
while queue:
    for package in dependencies(queue.pop()):
        if package not in reached and not is_macro(package):
            reached.add(package)
            queue.append(package)


def purl(package):
    return f"pkg:cargo/{package['name']}@{package['version']}"


def checksums():
    """Returns the SHA-256 of each crate from the registry, as Cargo.lock has it."""
    found, name, version = {}, None, None
    with open("Cargo.lock", encoding="utf-8") as lock:
        for line in lock:
            key, _, value = line.strip().partition(" = ")
            value = value.strip('"')
            if key == "name":
                name = value
            elif key == "version":
                version = value
            elif key == "checksum":
                found[name, version] = value
    return found


hashes = checksums()


def component(package):
    package = packages[package]
    entry = {"type": "library", "bom-ref": purl(package), "name": package["name"], "version": package["version"]}
    digest = hashes.get((package["name"], package["version"]))
    if digest:
        entry["hashes"] = [{"alg": "SHA-256", "content": digest}]
    if package["license"]:
        entry["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    entry["purl"] = purl(package)
    return entry


epoch = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))
others = sorted(reached - {root}, key=lambda id: purl(packages[id]))
json.dump(
    {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": uuid.UUID(hashlib.sha256(seed.encode()).hexdigest()[:32], version=4).urn,
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", epoch),
            "component": {**component(root), "type": "application"},
        },
        "components": [component(id) for id in others],
        "dependencies": [
            {
                "ref": purl(packages[id]),
                "dependsOn": [purl(packages[d]) for d in dependencies(id) if d in reached],
            }
            for id in [root, *others]
        ],
    },
    sys.stdout,
    indent=1,
)
print()
