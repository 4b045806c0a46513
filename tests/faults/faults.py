"""Kills a command at each of its calls that change files, and makes each of them fail; makes each
call fail that reads them.

Usage: faults.py PROGRAM CALLS_SO [POINTS]

For every call, in the order of all threads: SIGKILL before it; for a write, SIGKILL after half of
it; EIO from it; ENOSPC from it and from all later calls that need room. For every call that reads
(open, read, mmap): EIO from it. With POINTS only so many pairs of call and fault of each command,
spread evenly.

After each: a failure has status 1 and says why, or nothing is missing; the same command, run again,
leaves what an undisturbed run leaves, byte for byte, no file that was being written, and no tier
that was complete is solved again.
"""

import collections
import os
import shutil
import sys
from concurrent import futures

from commands import UNFINISHED, Wrong, all_commands, complete_tiers, left

# To calls that change files, and to calls that read them.
FAULTS = ("kill", "torn", "EIO", "ENOSPC")
READ = "EIO from a read"
WORDS = {"EIO": "Input/output error", READ: "Input/output error",
         "ENOSPC": "No space left on device"}


def injected(command, calls, directory, number=None, fault=None):
    """Runs a command with a fault; returns its exit status, its words and its calls of the kind
    that the fault is for."""
    listed = directory + ".calls"
    environment = {"LD_PRELOAD": calls, "FAULTS_BELOW": directory, "FAULTS_LIST": listed}
    if fault == READ:
        environment |= {"FAULTS_READS": "1", "FAULTS_DO": "EIO"}
    elif fault:
        environment |= {"FAULTS_DO": fault}
    if number:
        environment |= {"FAULTS_AT": str(number)}
    open(listed, "w", encoding="utf-8").close()
    status, said = command.run(directory, **environment)
    with open(listed, encoding="utf-8") as file:
        made = [line.split(" ", 2)[1:] for line in file]
    os.unlink(listed)
    return status, said, made


def one(command, calls, expected, number, fault):
    """One fault; returns what became of the run. None: the command ended before its call."""
    directory = command.prepared()
    try:
        before = command.result(directory)
        status, said, made = injected(command, calls, directory, number, fault)
        if len(made) < number:
            return None
        if fault == "torn" and made[number - 1][0] != "write":
            return "same as kill"
        if fault in ("kill", "torn"):
            if status != -9:
                raise Wrong(f"killed, but status {status}: {said}")
            became = "killed"
        elif status == command.status:
            # Something that nobody needs: what the run was for must all be there.
            result = {name: value for name, value in command.result(directory).items()
                      if not name.endswith(UNFINISHED)}
            if result != expected:
                raise Wrong(f"status {status} and wrong files: {said}")
            became = "did without"
        elif status == 1 and "error: " in said and WORDS[fault] in said:
            if command.checkpoint and "goes on" in said:
                raise Wrong(f"a promise of what is not there: {said}")
            became = "said"
        else:
            raise Wrong(f"status {status}: {said}")
        if before and not set(before) <= set(command.result(directory)):
            raise Wrong("a file that was there is lost")
        command.run_again(directory, expected, complete_tiers(directory))
        return became
    except Wrong as wrong:
        raise Wrong(f"{command.name}: {fault} at call {number}: {wrong}") from None
    finally:
        shutil.rmtree(directory)


def undisturbed(command, calls, fault=None):
    """What a run without a fault leaves, and its calls of the kind that the fault is for."""
    directory = command.prepared()
    status, said, made = injected(command, calls, directory, fault=fault)
    if status != command.status:
        raise Wrong(f"{command.name}: status {status} without a fault: {said}")
    expected = command.result(directory)
    if left(directory):
        raise Wrong(f"{command.name}: left over without a fault: {left(directory)}")
    shutil.rmtree(directory)
    return expected, made


def hold(command, calls, points):
    """All faults of a command; returns how many ended how, and the calls of an undisturbed run."""
    expected, made = undisturbed(command, calls)
    _, read = undisturbed(command, calls, READ)
    # A run may have some more calls than another, because checkpoints go by the time.
    every = [(number, fault) for number in range(1, len(made) + 1) for fault in FAULTS]
    every += [(number, READ) for number in range(1, len(read) + 1)]
    if points:
        step = max(1, len(every) // points)
        # An odd step meets every fault.
        every = every[:: step + (step % 2 == 0)]
    with futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = [pool.submit(one, command, calls, expected, *point) for point in every]
        try:
            ends = collections.Counter(run.result() or "ended before" for run in runs)
        except Wrong:
            pool.shutdown(cancel_futures=True)
            raise
    return ends, collections.Counter(call for call, _ in made), len(read)


def main(program, calls, points=None):
    total = collections.Counter()
    for command in all_commands(program):
        ends, made, reads = hold(command, calls, points and int(points))
        total += ends
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(made.items()))
        told = ", ".join(f"{count} {end}" for end, count in sorted(ends.items()))
        print(f"{command.name}: {sum(made.values())} calls ({kinds}) and {reads} that "
              f"read; faults: {told}", flush=True)
    faults = sum(total[end] for end in ("killed", "said", "did without"))
    print(f"{faults} faults: {total['killed']} kills, {total['said']} failures that were said, "
          f"{total['did without']} that were done without; 0 wrong, 0 lost")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Wrong as wrong:
        sys.exit(f"faults: {wrong}")
