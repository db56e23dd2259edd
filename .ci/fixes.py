"""Runs the fixes of `urlsift lint` over copies of document trees. See `.ci/fixes`."""

import collections
import difflib
import gzip
import json
import pathlib
import re
import shutil
import subprocess
import sys

urlsift, trees, copies, lines_path, *options = sys.argv[1:]
FIXES = {"safe": ["--fix"], "unsafe": ["--fix", "--unsafe-fixes"]}
KINDS = ("safe", "unsafe", "display", "none")


def run(args, cwd, **more):
    return subprocess.run(args, cwd=cwd, capture_output=True, check=False, **more)


def lint(cwd, paths, *args):
    return run([urlsift, "lint", "--exit-zero", *options, *args, *paths], cwd)


def copy(tree, into):
    """Copies the files of a tree. Compressed documentation is unpacked, so that it can be fixed."""
    for path in tree.rglob("*"):
        if path.is_symlink() or not path.is_file():
            continue
        target = into / path.relative_to(tree)
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".gz" and "doc" in path.parts:
            try:
                target.with_suffix("").write_bytes(gzip.decompress(path.read_bytes()))
                continue
            except (OSError, EOFError):
                pass
        shutil.copyfile(path, target)


def changed(text, edits):
    """Returns the lines that a fix changes, before and after. Of long lines, only the part around the edits."""
    first, last = edits[0]["start"], edits[-1]["end"]
    start = max(text.rfind(b"\n", 0, first) + 1, first - 200)
    end = text.find(b"\n", last)
    end = min(len(text) if end < 0 else end, last + 200)
    after, at = b"", start
    for edit in edits:
        after += text[at : edit["start"]] + edit["text"].encode()
        at = edit["end"]
    after += text[at:end]
    return [part.decode("utf-8", "replace") for part in (text[start:end], after)]


def read(cwd, paths):
    return {path: (cwd / path).read_bytes() for path in paths}


def restore(cwd, files):
    for path, text in files.items():
        (cwd / path).write_bytes(text)


def left_out(stderr):
    """Returns the lines that --diff leaves out because of a password: ranges by path."""
    lines = collections.defaultdict(list)
    for path, ranges in re.findall(rb"urlsift: (.*): left out of the diff because of a password: line (.*)", stderr):
        for first, last in re.findall(rb"(\d+)(?:-(\d+))?", ranges):
            lines[path.decode()].append((int(first), int(last or first)))
    return lines


def changes(before, after):
    """Returns the changes of lines: the range in the old text, 0-based, and the new lines."""
    before, after = before.splitlines(True), after.splitlines(True)
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    return {(i, j, tuple(after[k:m])) for tag, i, j, k, m in matcher.get_opcodes() if tag != "equal"}


def is_patched(before, patched, fixed, lines):
    """True if a patch makes exactly the changes of --fix, except those of `lines`."""
    if patched == fixed:
        return True
    patched, fixed = changes(before, patched), changes(before, fixed)
    return patched <= fixed and all(
        any(first <= i + 1 and j <= last for first, last in lines) for i, j, _ in fixed - patched
    )


def check(name, cwd, paths, flags):
    """Makes the fixes by a patch, then in place, twice. Returns the faults, and counts of changed files and hunks."""
    counts = collections.Counter()
    if not paths:
        return [], counts
    faults = []
    words = " ".join(flags)
    before = read(cwd, paths)
    diff = lint(cwd, paths, "--diff", *flags)
    if diff.stdout:
        strip = "-p1" if b"+++ b/" in diff.stdout else "-p0"
        applied = run(["git", "apply", "--whitespace=nowarn", strip, "-"], cwd, input=diff.stdout)
        if applied.returncode:
            reason = applied.stderr.decode("utf-8", "replace").strip()
            faults.append(f"{name}: --diff {words} is no patch: {reason}")
    patched = read(cwd, paths)
    restore(cwd, before)
    lint(cwd, paths, *flags)
    fixed = read(cwd, paths)
    lines = left_out(diff.stderr)
    differing = [path for path in paths if not is_patched(before[path], patched[path], fixed[path], lines[path])]
    if differing:
        faults.append(f"{name}: --diff {words} misses changes of {', '.join(differing)}")
    lint(cwd, paths, *flags)
    unsettled = [path for path in paths if (cwd / path).read_bytes() != fixed[path]]
    if unsettled:
        faults.append(f"{name}: a second {words} changes {', '.join(unsettled)}")
    restore(cwd, before)
    counts["files"] = sum(before[path] != fixed[path] for path in paths)
    counts["hunks"] = len(re.findall(rb"^@@ ", diff.stdout, re.MULTILINE))
    counts["left out"] = sum(map(len, lines.values()))
    return faults, counts


def main():
    totals, faults = collections.Counter(), []
    sizes = {kind: collections.Counter() for kind in FIXES}
    names = sorted(path for path in pathlib.Path(trees).iterdir() if path.is_dir())
    with open(lines_path, "w", encoding="utf-8") as lines:
        for tree in names:
            cwd = pathlib.Path(copies) / tree.name
            cwd.mkdir(parents=True)
            # So that `git apply` looks for the files here.
            run(["git", "init", "--quiet"], cwd)
            copy(tree, cwd)
            found = lint(cwd, ["."], "--format", "jsonl")
            paths = set()
            for line in found.stdout.splitlines():
                row = json.loads(line)
                if row["type"] != "diagnostic":
                    continue
                kind = row["fix"]["applicability"] if row["fix"] else "none"
                totals[row["code"], kind] += 1
                if kind not in FIXES:
                    continue
                paths.add(row["path"])
                before, after = changed((cwd / row["path"]).read_bytes(), row["fix"]["edits"])
                line = {"tree": tree.name, "path": row["path"], "line": row["line"], "rule": row["code"], "fix": kind}
                lines.write(json.dumps(line | {"before": before, "after": after}, ensure_ascii=False) + "\n")
            for kind, flags in FIXES.items():
                wrong, counts = check(tree.name, cwd, sorted(paths), flags)
                faults += wrong
                sizes[kind] += counts
            shutil.rmtree(cwd)
    if not names:
        faults.append("there are no trees, so nothing was checked")
    print(f"{len(names)} trees")
    for kind, flags in FIXES.items():
        size = sizes[kind]
        words = " ".join(flags)
        print(f"{words}: {size['files']} files; --diff: {size['hunks']} hunks, {size['left out']} left out for a password")
    print(f"{'rule':32}", *(f"{kind:>7}" for kind in KINDS))
    for rule in sorted({rule for rule, _ in totals}):
        print(f"{rule:32}", *(f"{totals[rule, kind]:7}" for kind in KINDS))
    sums = {kind: sum(count for (_, of), count in totals.items() if of == kind) for kind in KINDS}
    print(f"{'all':32}", *(f"{sums[kind]:7}" for kind in KINDS))
    for fault in faults:
        print("FAULT", fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
