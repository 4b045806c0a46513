"""Loses power after each call of a command that changes files, and has the command run again.

Usage: replay.py PROGRAM CALLS_SO [POINTS]

The calls of one undisturbed run are recorded with their data. A disk is then built anew from the
first n of them, for every n (or POINTS of them, spread evenly), three times each:

- nothing that was not synced has reached it;
- everything has, in order;
- of what was not synced, each write, cut, creation, rename and removal has or has not, by chance,
  and a write in part: so later ones may be there without earlier ones.

A sync of a file makes its bytes and its length last, not its name. A sync of a directory makes the
names in it last. A rename is whole or not at all. On that disk the same command is run again: it
must leave what an undisturbed run leaves, no file that was being written, and must not solve a tier
again that the manifest on the disk names.
"""

import collections
import json
import os
import random
import shutil
import sys
import tempfile
from concurrent import futures

from commands import TABLE, Wrong, all_commands


class Disk:
    """What is on a disk, and what may or may not be."""

    def __init__(self, root):
        self.root = root
        # By inode: the bytes that last, and the calls since then.
        self.bytes = collections.defaultdict(bytes)
        self.calls = collections.defaultdict(list)
        # By directory: the names that last, and the changes since then, each a list of
        # (name, inode or None).
        self.names = collections.defaultdict(dict)
        self.changes = collections.defaultdict(list)
        # What the program sees: path -> inode.
        self.seen = {}

    def hold(self, directory):
        """Takes over what is in a directory, as synced."""
        for folder, names, files in os.walk(directory):
            for name in files:
                path = os.path.join(folder, name)
                inode = os.stat(path).st_ino
                with open(path, "rb") as file:
                    self.bytes[inode] = file.read()
                self.names[folder][name] = self.seen[path] = inode
            for name in names:
                self.names[folder][name] = self.seen[os.path.join(folder, name)] = "directory"

    def change(self, *pairs):
        folder = os.path.dirname(pairs[0][0])
        assert all(os.path.dirname(path) == folder for path, _ in pairs)
        for path, inode in pairs:
            self.seen[path] = inode
        self.changes[folder].append([(os.path.basename(path), inode) for path, inode in pairs])

    def apply(self, call):
        kind, inode, number, path, other, data = call
        if kind == "create":
            # A number of a removed file may be given to a new one.
            self.bytes[inode], self.calls[inode] = b"", []
            self.change((path, inode))
        elif kind == "truncate":
            self.calls[inode].append((0, None))
        elif kind == "write":
            self.calls[inode].append((number, data))
        elif kind == "cut":
            self.calls[inode].append((number, None))
        elif kind == "mkdir":
            self.change((path, "directory"))
        elif kind == "unlink":
            self.change((path, None))
        elif kind == "rename":
            self.change((path, None), (other, self.seen[path]))
        elif kind == "sync" and path in self.names or path == self.root \
                or self.seen.get(path) == "directory":
            for pairs in self.changes.pop(path, []):
                self.names[path].update(pairs)
        elif kind == "sync":
            self.bytes[inode] = written(self.bytes[inode], self.calls.pop(inode, []))
        else:
            raise AssertionError(call)

    def build(self, directory, reached):
        """Makes a directory of what has reached the disk."""
        held = {}
        for folder in {self.root, *self.names, *self.changes}:
            held[folder] = dict(self.names.get(folder, {}))
            for pairs in self.changes.get(folder, []):
                if reached():
                    held[folder].update(pairs)
        waiting = [(self.root, directory)]
        while waiting:
            folder, target = waiting.pop()
            os.makedirs(target, exist_ok=True)
            for name, inode in held.get(folder, {}).items():
                if inode == "directory":
                    waiting.append((os.path.join(folder, name), os.path.join(target, name)))
                elif inode is not None:
                    calls = []
                    for number, data in self.calls.get(inode, []):
                        share = reached()
                        if share and data is not None:
                            data = data[:max(1, int(share * len(data)))]
                        if share:
                            calls.append((number, data))
                    with open(os.path.join(target, name), "wb") as file:
                        file.write(written(self.bytes[inode], calls))


def written(data, calls):
    """Bytes after writes at an offset and cuts to a length."""
    data = bytearray(data)
    for number, piece in calls:
        if piece is None:
            del data[number:]
            data.extend(bytes(number - len(data)))
        else:
            data.extend(bytes(max(0, number - len(data))))
            data[number:number + len(piece)] = piece
    return bytes(data)


def recorded(path):
    calls = []
    with open(path, "rb") as file:
        while line := file.readline():
            kind, inode, number, length, name, other = line.decode().rstrip("\n").split("\t")
            calls.append((kind, int(inode), int(number), name, other, file.read(int(length))))
    return calls


def named(directory):
    """The tiers that the manifest names and that are stored."""
    table = os.path.join(directory, TABLE)
    try:
        with open(os.path.join(table, "manifest.json"), encoding="utf-8") as file:
            tiers = json.load(file)["tiers"]
    except FileNotFoundError:
        return []
    name = "tier-{arrows:02}-{mover}v{opponent}.amz"
    return [name.format(**tier) for tier in tiers if tier["stored"]]


def one(command, directory, expected, what):
    """Runs a command on a disk that lost power; `what` says when and how."""
    try:
        tiers = named(directory)
        missing = [tier for tier in tiers
                   if not os.path.exists(os.path.join(directory, TABLE, tier))]
        dropped = "odd" in command.arguments
        if missing and not dropped:
            raise Wrong(f"the manifest names what is not there: {missing}")
        command.run_again(directory, expected, tiers)
    except Wrong as wrong:
        raise Wrong(f"{what}: {wrong}") from None
    finally:
        shutil.rmtree(directory)


def hold(command, calls, points):
    directory = command.prepared()
    disk_before = directory
    record = directory + ".record"
    disk = Disk(os.path.realpath(disk_before))
    disk.hold(os.path.realpath(disk_before))
    open(record, "w", encoding="utf-8").close()
    status, said = command.run(directory, LD_PRELOAD=calls, FAULTS_BELOW=directory,
                               FAULTS_RECORD=record)
    if status != command.status:
        raise Wrong(f"{command.name}: status {status} without a loss: {said}")
    expected = command.result(directory)
    every = recorded(record)
    os.unlink(record)
    shutil.rmtree(directory)
    step = max(1, 3 * len(every) // points) if points else 1
    chance = random.Random(1)
    runs = []
    with futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for number, call in enumerate(every, 1):
            disk.apply(call)
            if number % step and number < len(every):
                continue
            for name, reached in [
                ("nothing", lambda: 0),
                ("everything", lambda: 1),
                ("by chance", lambda: chance.choice([0, 0, 1, chance.random()])),
            ]:
                built = tempfile.mkdtemp()
                disk.build(built, reached)
                what = (f"{command.name}: power lost after call {number} ({call[0]} {call[3]}), "
                        f"{name} of what was not synced reached the disk")
                runs.append(pool.submit(one, command, built, expected, what))
        try:
            for run in runs:
                run.result()
        except Wrong:
            pool.shutdown(cancel_futures=True)
            raise
    return len(every), len(runs)


def main(program, calls, points=None):
    total = 0
    for command in all_commands(program):
        made, losses = hold(command, calls, points and int(points))
        total += losses
        if made:
            print(f"{command.name}: {made} calls, {losses} losses of power", flush=True)
    print(f"{total} losses of power; 0 wrong, 0 lost")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Wrong as wrong:
        sys.exit(f"replay: {wrong}")
