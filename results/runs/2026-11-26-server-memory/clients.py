"""Many clients that send a server of `amazons` games, and the most memory that it had.

    python3 clients.py PROGRAM CLIENTS THREADS [SECONDS]

The server may use 160 MiB. Each client sends one file of games after the other for SECONDS (8)."""

import json
import re
import subprocess
import sys
import threading
import time
import socket

program, clients, threads = sys.argv[1], int(sys.argv[2]), sys.argv[3]
seconds = float(sys.argv[4]) if len(sys.argv) > 4 else 8
server = subprocess.Popen(
    [program, "serve", "--bind", "127.0.0.1:0", "--memory", "160MiB", "--threads", threads, "--json", "-q"],
    stdout=subprocess.PIPE,
)
port = int(json.loads(server.stdout.readline())["url"].rstrip("/").split(":")[-1])
head = b"(;GM[18]SZ[4]AW[b1]AB[c4]"
# Few bytes that become much: nodes that are answered, too many of them, games, values.
bodies = [
    head + b";" * 19_990 + b")",
    b"(;" + b";" * 262_100 + b")",
    head + b")" + b"(;)" * 80_000,
    head + b"A" + b"[]" * 130_000 + b")",
]
begin = b"POST /api/v1/sgf HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: "
until, lock, statuses = time.time() + seconds, threading.Lock(), {}


def client(body):
    while time.time() < until:
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(begin + str(len(body)).encode() + b"\r\n\r\n" + body)
            status = connection.recv(12).decode()[-3:]
            while connection.recv(1 << 16):
                pass
        with lock:
            statuses[status] = statuses.get(status, 0) + 1


running = [threading.Thread(target=client, args=(bodies[n % 4],)) for n in range(clients)]
for thread in running:
    thread.start()
for thread in running:
    thread.join()
status = open(f"/proc/{server.pid}/status").read()
peak = int(re.search(r"VmHWM:\s+(\d+)", status)[1]) * 1024
print(f"{clients} clients, {threads} threads: {peak / 1e6:.0f} MB; {dict(sorted(statuses.items()))}")
server.kill()
