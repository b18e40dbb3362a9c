#!/usr/bin/env python3
"""Offsets as they come: subscribe.py [SOCKET]. Python's own library alone."""

import json, os, signal, socket, sys  # noqa: E401

path = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("PARALLAXD_SOCKET") or "/run/parallaxd/socket"
signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `subscribe.py | head` ends without a word.
with socket.socket(socket.AF_UNIX) as daemon:
    try:
        daemon.connect(path)
    except OSError as error:
        sys.exit(f"no daemon at {path}: {error.strerror}; PARALLAXD_SOCKET names another")
    # A first message that ends in a newline: every message is a line, both ways.
    daemon.sendall(b'{"method": "org.parallaxd.Motion.Subscribe", "more": true}\n')
    for line in daemon.makefile():
        reply = json.loads(line)
        if "error" in reply:
            sys.exit(f"{reply['error']} {reply.get('parameters')}")
        event = reply["parameters"]
        print(f"{event['state']} {event['x']:.2f} {event['y']:.2f}", flush=True)
sys.exit("the daemon has left")
