"""Inside the machine: does what the test asks, over a virtio port. One JSON line in, one out."""

import json
import subprocess
import time

with open("/dev/virtio-ports/org.oche.agent", "r+b", buffering=0) as port:  # noqa: PTH123
    port.write(b'{"ready": true}\n')
    line = b""
    while True:
        piece = port.read(4096)
        if not piece:
            time.sleep(0.1)  # Nobody is at the other end.
            continue
        line += piece
        while b"\n" in line:
            asked, _, line = line.partition(b"\n")
            done = subprocess.run(json.loads(asked)["run"], shell=True, capture_output=True, text=True, check=False)
            answer = {"code": done.returncode, "out": done.stdout[-20000:], "err": done.stderr[-20000:]}
            port.write(json.dumps(answer).encode() + b"\n")
