"""Checks a certificate in parts: parts.py CHECK UNPACKED N DIRECTORY [PROCESSES]

CHECK is the checker, UNPACKED the certificate with its frames unpacked. The record of each part that
is accepted goes to DIRECTORY/K-of-N, by way of another name, so a record is whole or not there.
Parts that have one are not checked again: a run that ended early goes on. Records of another file,
or by another checker, are refused. As many processes as the machine has cores, or PROCESSES, are at
work. In the end collect.py says whether all are accepted.
"""

import concurrent.futures
import hashlib
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.realpath(__file__))


def check(checker, unpacked, k, n, name):
    """Checks a part; what is wrong with it, if anything is."""
    if os.path.exists(name):
        return None
    with open(f"{name}.new", "wb") as record:
        done = subprocess.run(
            [checker, unpacked, f"{k}/{n}"], stdout=record, stderr=subprocess.PIPE, check=False
        )
        record.flush()
        os.fsync(record.fileno())
    if done.returncode != 0:
        os.remove(f"{name}.new")
        return f"part {k}/{n}, status {done.returncode}: {done.stderr.decode(errors='replace').strip()}"
    os.rename(f"{name}.new", name)
    return None


def main(checker, unpacked, n, directory, processes):
    with open(unpacked, "rb") as file:
        its_hash = hashlib.sha256(file.read()).hexdigest()
    sources = subprocess.run([checker, "--sources"], stdout=subprocess.PIPE, check=True, text=True)
    os.makedirs(directory, exist_ok=True)
    names = {k: os.path.join(directory, f"{k}-of-{n}") for k in range(1, n + 1)}
    for name in filter(os.path.exists, names.values()):
        with open(name, encoding="ascii", errors="replace") as record:
            lines = record.read()
        if its_hash not in lines:
            sys.exit(f"refused: {name}: a part of another file than {unpacked}")
        if sources.stdout.strip() not in lines:
            sys.exit(f"refused: {name}: by another checker than {checker}")
    with concurrent.futures.ThreadPoolExecutor(processes) as pool:
        checks = [pool.submit(check, checker, unpacked, k, n, name) for k, name in names.items()]
        for done in concurrent.futures.as_completed(checks):
            if done.result():
                for other in checks:
                    other.cancel()
                sys.exit(done.result())
    collect = [sys.executable, os.path.join(HERE, "collect.py"), *names.values()]
    sys.exit(subprocess.run(collect, check=False).returncode)


if __name__ == "__main__":
    numbers = sys.argv[3:4] + sys.argv[5:6]
    if len(sys.argv) not in (5, 6) or not all(x.isdecimal() and int(x) > 0 for x in numbers):
        print("usage: parts.py CHECK UNPACKED N DIRECTORY [PROCESSES]", file=sys.stderr)
        sys.exit(2)
    main(
        sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4],
        int(sys.argv[5]) if len(sys.argv) == 6 else len(os.sched_getaffinity(0)),
    )
