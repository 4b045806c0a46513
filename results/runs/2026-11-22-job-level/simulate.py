"""What limits a proof on two levels: a discrete-event run of rank 0 with measured jobs.

    simulate.py JOBS RANKS_MEASURED

JOBS is what `solve --mpi -vv` printed of its jobs, with so many ranks, in gzip. Each simulated rank
asks for a job, searches, and hands in the result; rank 0 serves one message at a time. A job's time
and what it tells are drawn together from the measured ones, the time scaled to a mean; its service
costs rank 0 the measured mean and a time for each byte that it sends or receives. What a job tells
goes to every other rank with that rank's next job.
"""

import gzip
import heapq
import random
import re
import statistics
import sys

# One thread of rank 0 packs and copies so much in a second.
BYTES_A_SECOND = 1e9
# The run takes as long as so many jobs of mean length.
JOBS_EACH = 40

LINE = re.compile(
    r"job of rank (\d+): (\d+) nodes in ([\d.]+) s; (\d+) bytes, served in ([\d.]+) s"
)


def measured(path, ranks):
    found = [match.groups() for match in map(LINE.search, gzip.open(path, "rt")) if match]
    jobs = [(float(time), int(size)) for _, _, time, size, _ in found]
    served = statistics.mean(float(one[4]) for one in found)
    mean = statistics.mean(time for time, _ in jobs)
    # A job's bytes are those of its own result and what ranks - 1 others have told it.
    told = statistics.mean(size for _, size in jobs) / ranks
    return [time / mean for time, _ in jobs], told, served


def run(ranks, seconds, shapes, told, served):
    random.seed(ranks)
    end = JOBS_EACH * seconds
    events = [(0.0, rank, False) for rank in range(ranks)]
    free_at, busy, worked = 0.0, 0.0, 0.0
    # Jobs that are done, in all and when a rank was told last.
    done, seen = 0, [0] * ranks
    while events:
        now, rank, has_result = heapq.heappop(events)
        if now >= end:
            break
        done += has_result
        size = told * (has_result + done - seen[rank])
        seen[rank] = done
        cost = served + size / BYTES_A_SECOND
        begun = max(free_at, now)
        free_at = begun + cost
        busy += max(0.0, min(end, free_at) - begun)
        time = seconds * random.choice(shapes)
        worked += max(0.0, min(end, free_at + time) - free_at)
        heapq.heappush(events, (free_at + time, rank, True))
    return worked / (end * ranks), busy / end


def main():
    shapes, told, served = measured(sys.argv[1], int(sys.argv[2]))
    print(f"{len(shapes)} jobs; told by one: {told:.0f} bytes; served in {1e6 * served:.0f} us")
    print("ranks  seconds a job  ranks at work  rank 0 busy")
    for seconds in (0.1, 0.3, 1, 10):
        for ranks in (8, 64, 256, 1024):
            at_work, busy = run(ranks, seconds, shapes, told, served)
            print(f"{ranks:5} {seconds:14} {at_work:14.1%} {busy:12.1%}")


main()
