#!/usr/bin/env python3
"""Times two builds of amazons in turn on the same jobs; prints each run and the ratios of the medians."""
import os, resource, shutil, statistics, subprocess, sys, tempfile, time
OLD, NEW = sys.argv[1:3]
only = set(sys.argv[3:])
tmp = tempfile.mkdtemp()
def run(args, stdin=None):
    b = resource.getrusage(resource.RUSAGE_CHILDREN); t = time.monotonic()
    p = subprocess.run(args, stdin=open(stdin) if stdin else None, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    w = time.monotonic() - t; a = resource.getrusage(resource.RUSAGE_CHILDREN)
    if p.returncode not in (0,): raise SystemExit(f"{args}: status {p.returncode}")
    return w, a.ru_utime + a.ru_stime - b.ru_utime - b.ru_stime
def build(board, amazons):
    def job(exe):
        d = tempfile.mkdtemp(dir=tmp)
        r = run([exe, "build", board, "--amazons", amazons, "--tables", d + "/t", "--memory", "6GiB"]); shutil.rmtree(d); return r
    return job
table = tmp + "/4x4"
subprocess.run([OLD, "build", "4x4", "--tables", table, "-q"], check=True, stdout=subprocess.DEVNULL)
fens = tmp + "/fens"
import random
rng = random.Random(1)
with open(fens, "w") as f:
    for _ in range(20000):
        n = rng.randrange(1, 7); sq = ["."] * 16
        for i, s in enumerate(rng.sample(range(16), 8 + n)): sq[s] = "Q" if i < 4 else "q" if i < 8 else "*"
        ranks = []
        for r in range(4):
            t, e = "", 0
            for c in sq[4*r:4*r+4]:
                if c == ".": e += 1
                else: t += (str(e) if e else "") + c; e = 0
            ranks.append(t + (str(e) if e else ""))
        f.write("/".join(ranks) + " w\n")
def cmd(*a, stdin=None): return lambda exe: run([exe, *a], stdin)
JOBS = {
 "build 4x4": (9, build("4x4", "4v4")), "build 4x5": (5, build("4x5", "4v4")), "build 5x5 2v2": (3, build("5x5", "2v2")),
 "solve 4x5, 1 thread": (11, cmd("solve", "4x5", "--threads", "1", "--memory", "1GiB")),
 "solve 5x5, 1 thread": (11, cmd("solve", "5x5", "--threads", "1", "--memory", "1GiB")),
 "solve 4x7, 1 thread": (3, cmd("solve", "4x7", "--threads", "1", "--memory", "1GiB")),
 "solve 4x7, 2 threads": (3, cmd("solve", "4x7", "--threads", "2", "--memory", "1GiB")),
 "solve 6x4, 1 thread": (3, cmd("solve", "6x4", "--threads", "1", "--memory", "1GiB")),
 "solve 6x4, 2 threads": (1, cmd("solve", "6x4", "--threads", "2", "--memory", "1GiB")),
 "perft 10x10 3": (1, cmd("perft", "10x10", "3")),
 "lookup, 20,000 positions of 4x4": (3, cmd("lookup", "-", "--tables", table, "--json", stdin=fens)),
 "values: zugzwangs": (2, cmd("regions", "--size", "8", "--zugzwangs", "6")),
 "verify 4x4": (5, cmd("verify", table)),
 "verify 4x7.proof": (5, cmd("verify", "results/proofs/4x7.proof")),
}
print("| job | runs | before: wall s, median (min to max) | after | ratio of walls | ratio of processor time |\n|---|---|---|---|---|---|")
for name, (n, job) in JOBS.items():
    if only and not any(o in name for o in only): continue
    try:
        job(OLD); job(NEW)
        r = [[], []]
        for i in range(n):
            for k in ((0, 1) if i % 2 == 0 else (1, 0)): r[k].append(job((OLD, NEW)[k]))
        m = lambda k, j: statistics.median(x[j] for x in r[k])
        span = lambda k: f"{m(k,0):.3f} ({min(x[0] for x in r[k]):.3f} to {max(x[0] for x in r[k]):.3f})"
        print(f"| {name} | {n} | {span(0)} | {span(1)} | {m(1,0)/m(0,0):.3f} | {m(1,1)/m(0,1):.3f} |", flush=True)
    except SystemExit as e: print(f"| {name} | failed: {e} |", flush=True)
shutil.rmtree(tmp)
