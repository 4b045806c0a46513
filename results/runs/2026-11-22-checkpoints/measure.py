"""How long a checkpoint of a search of 7x4 takes to load and to save.

Usage: measure.py AMAZONS CHECKPOINT THREADS

Three times: the time until the program says that it goes on, and from an interrupt until it says
that the checkpoint is saved. The file is copied into memory first.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

program, checkpoint, threads = sys.argv[1:]
with tempfile.TemporaryDirectory(dir="/dev/shm") as directory:
    copy = os.path.join(directory, "search")
    for _ in range(3):
        shutil.copy(checkpoint, copy)
        began = time.time()
        search = subprocess.Popen(
            [program, "solve", "7x4", "--all-moves", "--memory", "900MB", "--time", "2m",
             "--threads", threads, "--checkpoint", copy],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for line in search.stderr:
            if "going on" in line:
                loaded = time.time()
                time.sleep(0.3)
                search.send_signal(signal.SIGINT)
                asked = time.time()
            elif "checkpoint at" in line:
                print(f"load {loaded - began:.2f} s, save {time.time() - asked:.2f} s")
        search.wait()
