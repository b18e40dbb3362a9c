#!/usr/bin/env python3
"""Offsets as they come: subscribe.py [SOCKET]. Python's own library alone."""

import json
import os
import socket
import sys

path = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("PARALLAXD_SOCKET") or "/run/parallaxd/socket"
with socket.socket(socket.AF_UNIX) as daemon:
    daemon.connect(path)
    # A first message that ends in a newline: every message is a line, both ways.
    daemon.sendall(b'{"method": "org.parallaxd.Motion.Subscribe", "more": true}\n')
    for line in daemon.makefile():
        reply = json.loads(line)
        if "error" in reply:
            sys.exit(f"{reply['error']} {reply.get('parameters')}")
        event = reply["parameters"]
        print(f"{event['state']} {event['x']:.2f} {event['y']:.2f}", flush=True)
