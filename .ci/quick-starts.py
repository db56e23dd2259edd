"""Runs the quick starts of README.md that use the command, in a root with the command installed.

Usage: quick-starts.py ROOT MAILBOX. Console blocks must print what the README shows, and the other
commands must succeed. MAILBOX serves as the archive that they read.
"""

import gzip
import pathlib
import re
import shutil
import subprocess
import sys

root, mailbox = map(pathlib.Path, sys.argv[1:])
readme = pathlib.Path("README.md").read_text(encoding="utf-8")
home = root / "tmp" / "quick"
shutil.rmtree(home, ignore_errors=True)
(home / "mail").mkdir(parents=True)
shutil.copy(mailbox, home / "mail")
with gzip.open(home / "list.mbox.gz", "wb") as packed:
    packed.write(mailbox.read_bytes())


def run(command):
    done = subprocess.run(
        ["chroot", root, "/usr/bin/env", "-i", "PATH=/usr/bin:/bin", "HOME=/tmp", "LC_ALL=C.UTF-8"]
        + ["bash", "-c", "cd /tmp/quick && " + command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout


def fail(command, *details):
    sys.exit("\n".join([f"README.md: this command doesn't do what is written: {command}", *details]))


count = 0
for title, section in re.findall(r"^## (Quick start: .*)\n((?:(?!^## ).*\n)*)", readme, re.M):
    for kind, block in re.findall(r"^```(console|sh)\n(.*?)^```", section, re.M | re.S):
        if kind == "console":
            for command, expected in re.findall(r"^\$ (.*(?:\n> .*)*)\n((?:(?!\$ ).*\n)*)", block, re.M):
                command = command.replace("\n> ", "\n")
                _, output = run(command)
                count += 1
                if output != expected:
                    fail(command, "it prints:", output, "README.md has:", expected)
        else:
            for command in block.splitlines():
                status, output = run(f"set -o pipefail; {command}")
                count += 1
                # `head` ends before the command that it reads from.
                if status not in (0, 141):
                    fail(command, f"exit status {status}", output)
shutil.rmtree(home)
print(f"{count} commands of README.md work as written")
