"""The commands whose calls are made to fail, and what is left of them.

Each command is one that a user types. It is run in a directory of its own, prepared so that it has
something to do; afterwards the directory must hold what it holds after an undisturbed run.
"""

import hashlib
import json
import os
import shutil
import subprocess
import tempfile

# The end of the name of a file that is being written, and what tiers have while they are solved.
UNFINISHED = (".new", ".part", ".journal")

# Where the builds have their table.
TABLE = "deep/table"


class Wrong(Exception):
    """What must not happen."""


def left(directory):
    """The names of files that are being written, or tiers that are being solved."""
    return sorted(name for _, _, names in os.walk(directory) for name in names
                  if name.endswith(UNFINISHED))


class Command:
    """A command and the directory that it works in."""

    def __init__(self, program, name, arguments, prepare=(), status=0, checkpoint=False):
        self.program = program
        self.name = name
        self.arguments = arguments
        self.prepare = prepare
        # The exit status of an undisturbed run.
        self.status = status
        # Whether the result is a checkpoint: what it holds depends on the time that there was.
        self.checkpoint = checkpoint

    def run(self, directory, **environment):
        """Runs the command in a directory; returns its exit status and what it said."""
        done = subprocess.run(
            [self.program, *self.arguments, "--threads", "1"],
            cwd=directory, env={**os.environ, **environment}, timeout=120,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
        )
        return done.returncode, done.stdout + done.stderr

    def run_again(self, directory, expected, solved):
        """Runs it after a fault: it must leave `expected`, nothing else, and must not solve again
        the tiers of the names `solved`."""
        complete = complete_tiers(directory)
        status, said = self.run(directory)
        if status != self.status:
            raise Wrong(f"the same command ends with status {status}: {said}")
        if self.result(directory) != expected:
            raise Wrong("the same command leaves other files")
        if left(directory):
            raise Wrong(f"left over: {left(directory)}")
        after = complete_tiers(directory)
        again = [tier for tier in solved if tier in after and complete.get(tier) != after[tier]]
        if again:
            raise Wrong(f"solved again: {again}")

    def prepared(self):
        """A fresh directory as the command finds it."""
        directory = tempfile.mkdtemp()
        for arguments in self.prepare:
            done = subprocess.run([self.program, *arguments], cwd=directory, check=False,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            assert done.returncode in (0, 3), (arguments, done.returncode)
        return directory

    def result(self, directory):
        """What an undisturbed run leaves: the hash of each file, of tables without their times."""
        found = {}
        for folder, _, names in os.walk(directory):
            for name in names:
                path = os.path.join(folder, name)
                short = os.path.relpath(path, directory)
                if self.checkpoint and short == "search":
                    found[short] = self.is_read(directory)
                elif name == "manifest.json":
                    with open(path, encoding="utf-8") as file:
                        found[short] = json.dumps(json.load(file)["tiers"])
                elif name != "lock":
                    with open(path, "rb") as file:
                        found[short] = hashlib.sha256(file.read()).hexdigest()
        return found

    def is_read(self, directory):
        """Whether the program takes the checkpoint up."""
        copy = tempfile.mkdtemp()
        try:
            shutil.copy(os.path.join(directory, "search"), copy)
            status, said = Command(self.program, "", search("1ms")).run(copy)
            return status == 3 and "going on from" in said
        finally:
            shutil.rmtree(copy)


def search(time, *more):
    """A search that no machine ends in that time, however often it goes on."""
    return ["solve", "6x6", "--time", time, "--checkpoint", "search", *more]


def complete_tiers(directory):
    """The tiers that are complete on the disk, under either name, and which files they are."""
    found = {}
    table = os.path.join(directory, TABLE)
    for name in os.listdir(table) if os.path.isdir(table) else ():
        path = os.path.join(table, name)
        if name.endswith((".amz", ".amz.part")):
            with open(path, "rb") as file:
                head = file.read(160)
            size = os.path.getsize(path)
            # The header says that the file is finished, and how long it is.
            if len(head) == 160 and head[18] == 1 \
                    and int.from_bytes(head[96:104], "little") == size:
                identity = os.stat(path)
                found[name.removesuffix(".part")] = (identity.st_ino, identity.st_mtime_ns)
    return found


def all_commands(program):
    build = ["build", "4x4", "--amazons", "1v1", "--tables", TABLE]
    opening = ["opening", "q1q/3/3/Q1Q w", "--tables", "table", "--plies", "2", "--out", "opening"]
    table = ["build", "3x4", "--amazons", "2v2", "--tables", "table"]
    stopped = search("20ms", "-q")
    return [
        Command(program, "build", [*build, "--checkpoint", "0s", "--check-sample", "3"]),
        Command(program, "build of odd tiers, no checkpoints",
                ["build", "3x4", "--amazons", "2v1", "--tables", TABLE, "--keep", "odd",
                 "--checkpoint", "1h"]),
        Command(program, "build that keeps no tiers",
                ["build", "3x3", "--amazons", "1v1", "--tables", TABLE, "--keep", "none",
                 "--checkpoint", "1h"]),
        Command(program, "search", stopped, status=3, checkpoint=True),
        Command(program, "search that goes on", stopped, prepare=[stopped], status=3,
                checkpoint=True),
        Command(program, "opening table", opening, prepare=[table]),
        Command(program, "opening table over another", opening,
                prepare=[table, [*opening[:5], "1", *opening[6:]]]),
        Command(program, "certificate", ["solve", "4x4", "--certificate", "proof"]),
        # These change nothing, so only what they read can fail.
        Command(program, "check", ["check", "table"], prepare=[table]),
        Command(program, "verify of a table", ["verify", "table"], prepare=[table]),
        Command(program, "lookup", ["lookup", "3x4", "--amazons", "2v2", "--tables", "table"],
                prepare=[table]),
        Command(program, "verify of a certificate", ["verify", "proof"],
                prepare=[["solve", "4x4", "--certificate", "proof"]]),
    ]
