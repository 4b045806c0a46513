"""Runs of many processes: the same files as one process writes, whatever happens to a rank.

    ranks.py AT.SO AMAZONS [AMAZONS without MPI]
"""

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

AT, AMAZONS, WITHOUT = sys.argv[1], sys.argv[2], sys.argv[3:]
ROOT = Path(tempfile.mkdtemp())
# Without it drivers of graphics cards complain on standard error.
os.environ.setdefault("XDG_RUNTIME_DIR", str(ROOT))
# A run that hangs is one that has failed; none takes a tenth of this.
PATIENCE = 120

VERSION = subprocess.run(["mpirun", "--version"], capture_output=True, text=True).stdout
# Open MPI refuses root, and more ranks than processors, unless it is told.
OPEN_MPI = ["--allow-run-as-root", "--oversubscribe", "-q"] if "Open MPI" in VERSION else []


def fail(what, *more):
    sys.exit("\n".join(["tests/mpi: " + what, *map(str, more)]))


class Run:
    """A run of a command by some ranks. Several commands, each by some ranks, make one run too."""

    def __init__(self, ranks, *command, at=None, each=None):
        commands = each or [(ranks, [AMAZONS, *command], None)]
        line = ["mpirun", *OPEN_MPI]
        for number, (of, argv, directory) in enumerate(commands):
            line += [":"] if number else []
            line += ["-n", str(of), *(["--wdir", str(directory)] if directory else []), *argv]
        environment = dict(os.environ)
        if at:
            rank, action, path, new, count = at
            environment |= {
                "LD_PRELOAD": AT, "AT_RANK": str(rank), "AT_ACTION": action, "AT_PATH": path,
                "AT_NEW": str(int(new)), "AT_COUNT": str(count),
            }
        done = subprocess.run(
            line, env=environment, capture_output=True, text=True, timeout=PATIENCE
        )
        self.status, self.out, self.err, self.line = done.returncode, done.stdout, done.stderr, line

    def expect(self, status, message=None):
        """The status, and one message if any."""
        errors = re.findall(r"^error: (.*)", self.err, re.M)
        right = self.status == status and len(errors) == (message is not None)
        if not right or message is not None and not re.search(message, errors[0]):
            fail(
                f"expected status {status} and the message {message!r}, found {self.status}",
                " ".join(map(str, self.line)), self.out, self.err,
            )
        return self


def build(ranks, directory, board, amazons="4v4", *more, at=None):
    common = ["--tables", str(directory), "--threads", "1", "--quiet", "--mpi"]
    return Run(ranks, "build", board, "--amazons", amazons, *more, *common, at=at)


def content(directory):
    """The files of a table; of the manifest what does not depend on the time."""
    files = {path.name: path.read_bytes() for path in Path(directory).iterdir()}
    manifest = json.loads(files["manifest.json"])
    files["manifest.json"] = [manifest[field] for field in ("board", "amazons", "keep", "tiers")]
    return files


def same(directory, expected):
    found = content(directory)
    if found != expected:
        names = {name for name in {*found, *expected} if found.get(name) != expected.get(name)}
        fail(f"{directory} is not what one process writes: {sorted(names)}")
    shutil.rmtree(directory)


def alone(board, amazons="4v4", *more):
    name = "-".join([board, amazons, *(option.strip("-") for option in more)])
    directory = ROOT / "alone" / name
    command = [AMAZONS, "build", board, "--amazons", amazons, "--tables", directory, "-q", *more]
    subprocess.run(command, check=True, capture_output=True)
    return content(directory)


def tables():
    """Boards with empty parts, with two kinds, with odd or no tiers kept; any number of ranks."""
    for board, amazons, *more in [
        ("3x3", "1v1"),
        ("3x4", "2v1"),
        ("3x4", "1v0"),
        ("4x4", "2v2", "--keep", "odd"),
        ("3x4", "2v2", "--keep", "none"),
        ("4x4", "4v4"),
    ]:
        expected = alone(board, amazons, *more)
        # The larger ones take longest.
        for ranks in (3,) if amazons == "4v4" else (2, 7) if board == "4x4" else (1, 2, 3, 7):
            directory = ROOT / "t"
            build(ranks, directory, board, amazons, *more).expect(0)
            same(directory, expected)


# When a tier of 4x4 is half done, and when its segments are put together.
MIDDLE = ("amz.part-", True, 12)
TOGETHER = ("05-3v3.amz.part", False, 1)


def interrupted():
    """Ranks that are killed, stopped, without space, or panic; then other ranks go on."""
    expected = alone("4x4", "3v3")
    started_again = iter([1, 7, 2, 3] * 9)
    for action, status, message in [
        ("kill", 137, None),
        ("term", 3, "stopped; the same command goes on from here$"),
        ("full", 1, "cannot (write|sync) .*No space left on device"),
    ]:
        for moment in (MIDDLE, TOGETHER):
            for rank in (0, 2):
                directory = ROOT / "t"
                run = build(3, directory, "4x4", "3v3", at=(rank, action, *moment))
                of_rank = "^rank 2: " if action == "full" and rank else "^"
                run.expect(status, message and of_rank + message)
                if not any(".part" in path.name for path in directory.iterdir()):
                    fail(f"{action} at {moment} came between two tiers")
                build(next(started_again), directory, "4x4", "3v3").expect(0)
                same(directory, expected)
    directory = ROOT / "t"
    panic = build(3, directory, "4x4", "3v3", at=(1, "threads", *MIDDLE)).expect(101)
    if panic.err.count("panicked") != 1 or "rank 1:" not in panic.err:
        fail("a panic is to be told once, with its rank", panic.err)
    build(2, directory, "4x4", "3v3").expect(0)
    same(directory, expected)


def asleep():
    """A rank that is stopped for a while goes on as if nothing had been."""
    expected = alone("4x4", "3v3")
    for moment in (MIDDLE, TOGETHER):
        for rank in (0, 2):
            directory = ROOT / "t"
            build(3, directory, "4x4", "3v3", at=(rank, "stop", *moment)).expect(0)
            same(directory, expected)


def twice():
    """Of two runs on one directory at the same time one is refused, the other is not disturbed."""
    expected = alone("4x4", "4v4")
    directory = ROOT / "t"
    line = ["mpirun", *OPEN_MPI, "-n", "2", AMAZONS, "build", "4x4", "--tables", str(directory)]
    first = subprocess.Popen([*line, "--threads", "1", "--quiet", "--mpi"])
    while not (directory / "manifest.json").exists():
        if first.poll() is not None:
            fail("the first of two runs has ended before the second began")
        time.sleep(0.01)
    build(3, directory, "4x4").expect(1, "is being written by another process")
    if first.wait(PATIENCE) != 0:
        fail("the first of two runs on one directory was disturbed")
    same(directory, expected)


def one_and_many():
    """What one process has begun, others finish, from its last checkpoint."""
    expected = alone("4x4", "3v3")
    directory = ROOT / "t"
    stopped = (0, "term", "tier-04-3v3.journal", True, 8)
    build(1, directory, "4x4", "3v3", "--checkpoint", "0s", at=stopped).expect(3, "^stopped")
    if not (directory / "tier-04-3v3.journal").exists():
        fail("one process was not stopped within a tier")
    build(3, directory, "4x4", "3v3").expect(0)
    same(directory, expected)


def cards():
    """Ranks with graphics cards, in software too, write what processors write, and go on with it."""
    if subprocess.run([AMAZONS, "info", "--gpu"], capture_output=True).returncode != 0:
        print("left out: the program is without the feature gpu, or there is no adapter here")
        return
    for board, amazons, ranks, more in [
        ("3x4", "2v1", 3, ["--gpu=auto"]),
        ("4x4", "2v2", 2, ["--gpu", "--keep", "none"]),
        ("4x4", "4v4", 2, ["--gpu"]),
    ]:
        expected = alone(board, amazons, *more[1:])
        build(ranks, ROOT / "t", board, amazons, *more).expect(0)
        same(ROOT / "t", expected)
    expected = alone("4x4", "3v3")
    for before, after in (["--gpu"], []), ([], ["--gpu"]):
        directory = ROOT / "t"
        build(3, directory, "4x4", "3v3", *before, at=(2, "kill", *MIDDLE)).expect(137)
        build(2, directory, "4x4", "3v3", *after).expect(0)
        same(directory, expected)
    build(2, ROOT / "t", "3x3", "1v1", "--gpu", "--gpu-adapter", "no such card").expect(
        1, "no graphics adapter has 'no such card' in its name"
    )


def refused():
    """Wrong runs end at once, with one message."""
    expected = alone("3x3", "1v1")
    directory = ROOT / "t"
    directory.mkdir()
    with open(directory / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        build(3, directory, "3x3", "1v1").expect(1, "is being written by another process")
    build(3, directory, "3x3", "1v1").expect(0)
    same(directory, expected)
    build(3, directory, "3x3", "1v1", "--memory", "1MB").expect(2, "needs at least")
    build(3, directory, "3x3", "1v1", "--tabels", "x").expect(2, "unexpected argument")

    def command(board, program=AMAZONS):
        return [program, "build", board, "--amazons", "1v1", "--tables", "t", "--mpi"]

    one, two = ROOT / "one", ROOT / "two"
    one.mkdir()
    two.mkdir()
    apart = [(1, command("3x3"), one), (2, command("3x3"), two)]
    Run(3, each=apart).expect(2, "^rank 1: t is not the directory that rank 0 writes")
    if list(two.iterdir()):
        fail("a directory that is not shared was written")
    differ = [(2, command("3x3"), one), (1, command("3x4"), one)]
    Run(3, each=differ).expect(2, "^rank 2 was started with .*3x4")
    other = ROOT / "other"
    shutil.copy(AMAZONS, other)
    with open(other, "ab") as file:
        file.write(b"x")
    builds = [(1, command("3x3"), one), (1, command("3x3", str(other)), one)]
    Run(2, each=builds).expect(2, "^rank 1 runs another build")
    bare = subprocess.run(command("3x3"), capture_output=True, text=True)
    if bare.returncode != 2 or not bare.stderr.startswith("error: --mpi needs a launcher"):
        fail("--mpi without mpirun", bare.stderr)
    for program in WITHOUT:
        without = [(3, command("3x3", program), one)]
        Run(3, each=without).expect(2, "^this program was built without MPI")


def verified():
    """Ranks verify a table together; a damaged one is told."""
    directory = ROOT / "t"
    alone_says = None
    build(1, directory, "4x4", "2v2").expect(0)
    for ranks in (1, 3):
        run = Run(ranks, "verify", directory, "--json", "--threads", "1", "--mpi").expect(0)
        report = json.loads(run.out)
        said = (report["checked"], report["mismatches"])
        if alone_says not in (None, said) or said[1] != 0:
            fail(f"{ranks} ranks verify {said}, one {alone_says}")
        alone_says = said
    proof = Path(__file__).parents[2] / "results/proofs/4x7.proof"
    Run(3, "verify", proof, "--mpi").expect(2, "--mpi is for tables")
    text = directory / "manifest.json"
    Run(3, "verify", text, "--mpi").expect(1, "expected a table, an opening table, a certificate")
    path = directory / "tier-08-2v2.amz"
    path.write_bytes(path.read_bytes()[:-1])
    Run(3, "verify", directory, "--mpi").expect(1, "tier-08-2v2.amz is damaged")
    shutil.rmtree(directory)


def proved():
    """Ranks say of every move what one process says, stopped and gone on with by others, too."""
    command = [AMAZONS, "solve", "3x4", "--amazons", "2v2", "--all-moves", "--json"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)

    def said(text):
        report = json.loads(text)
        moves = sorted(report["winning_moves"]), report["unknown_moves"]
        return report["value"], moves

    search = command[1:] + ["--threads", "1", "--memory", "100MB", "--mpi"]
    for ranks in (1, 2, 4):
        if said(Run(ranks, *search).expect(0).out) != said(done.stdout):
            fail(f"{ranks} ranks do not say what one process says")
    common = ["--method", "proof", "--all-moves", "--json", "--threads", "1", "--memory", "100MB"]
    common += ["--mpi"]
    report = json.loads(Run(3, "solve", "4x5", *common).expect(0).out)
    if (report["value"], report["winning_moves"], report["unknown_moves"]) != ("loss", [], []):
        fail("4x5 is lost by every move", report)
    # This takes minutes.
    long = ["solve", "4x6", *common, "--checkpoint", str(ROOT / "checkpoint"), "--time", "1s"]
    message = "the time is up; the same command goes on from"
    first = json.loads(Run(2, *long).expect(3, message).out)
    for rank in ("", ".rank-1"):
        if not (ROOT / f"checkpoint{rank}").exists():
            fail(f"no checkpoint{rank}")
    more = json.loads(Run(3, *long).expect(3, message).out)
    if more["nodes"] <= first["nodes"] or len(more["unknown_moves"]) > len(first["unknown_moves"]):
        fail("a search that goes on knows what was found before", first, more)


def on_two_levels():
    """Ranks prove one position together, killed, stopped and gone on with by others, too."""
    common = ["--json", "--threads", "1", "--memory", "100MB", "--mpi"]

    def solve(ranks, board, *more, at=None):
        return Run(ranks, "solve", board, *more, *common, at=at)

    def expect(run, value):
        report = json.loads(run.expect(0).out)
        if report["value"] != value or (report["best_move"] is None) != (value == "loss"):
            fail(f"expected a {value}", report)
        return report

    for ranks in (1, 2, 4):
        expect(solve(ranks, "4x5", "--method", "proof"), "loss")
    known = expect(solve(3, "4x7"), "win")
    if known["nodes"] != 0 or known["basis"] != "by the certificate 4x7.proof":
        fail("what is known needs no search", known)
    proof = ROOT / "proof"
    expect(solve(3, "5x4", "--certificate", str(proof)), "win")
    subprocess.run([AMAZONS, "verify", proof], check=True, capture_output=True)
    both = ["--all-moves", "--certificate", str(proof)]
    solve(2, "5x4", *both).expect(2, "--mpi writes no certificate with --all-moves")
    by_tables = solve(2, "5x4", "--method", "tables")
    by_tables.expect(2, "--mpi searches: expected --method auto or proof")
    # It takes a quarter of a minute, so these are stopped or killed on the way.
    checkpoint = ROOT / "top"
    stopped = ["6x4", "--checkpoint", str(checkpoint), "--time", "2s"]
    message = "the time is up; the same command goes on from"
    first = json.loads(solve(2, *stopped).expect(3, message).out)
    if not checkpoint.exists() or not (ROOT / "top.rank-1").exists():
        fail("no checkpoint of some rank")
    before = checkpoint.read_bytes()
    # When it is about to replace that of rank 0 or its own.
    for rank, name in ((0, "top."), (1, "top.rank-1.")):
        solve(3, *stopped, at=(rank, "kill", name, True, 1)).expect(137)
        if rank == 0 and checkpoint.read_bytes() != before:
            fail("a kill has changed a checkpoint")
    more = json.loads(solve(4, *stopped).expect(3, message).out)
    if more["nodes"] <= first["nodes"]:
        fail("a search that goes on knows what was found before", first, more)
    alone = [AMAZONS, "solve", "6x4", "--json", "--threads", "1", "--memory", "100MB"]
    alone += ["--checkpoint", str(checkpoint), "--time", "1s"]
    done = subprocess.run(alone, capture_output=True, text=True)
    if done.returncode != 3 or "going on from" not in done.stderr:
        fail("one process goes on from the checkpoint of rank 0", done.stderr)


TESTS = tables, interrupted, asleep, twice, one_and_many, cards, refused, verified, proved, on_two_levels
for test in TESTS:
    print(f"== {test.__doc__.splitlines()[0]}", flush=True)
    test()
print("tests/mpi: all as it should be")
