#!/usr/bin/env python3
"""Where to draw a launcher's layers: scene.py [SOCKET]. Points from neutral, x to the right, y down."""

import json, os, signal, socket, sys  # noqa: E401

path = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("PARALLAXD_SOCKET") or "/run/parallaxd/socket"
signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `scene.py | head` ends without a word.
# Three layers, from far to near; and a shadow that goes by tilt. {"name": "launcher"} is one that the daemon has.
shadow = {"key_path": "shadow.x", "axis": "horizontal", "minimum": 8, "maximum": -8}
scene = {"layers": [{}, {}, {"depth": 0.5}], "effects": [shadow]}
call = {"method": "org.parallaxd.Motion.Subscribe", "more": True, "parameters": {"scene": scene}}
with socket.socket(socket.AF_UNIX) as daemon:
    try:
        daemon.connect(path)
    except OSError as error:
        sys.exit(f"no daemon at {path}: {error.strerror}; PARALLAXD_SOCKET names another")
    daemon.sendall(json.dumps(call).encode() + b"\n")
    for reply in map(json.loads, daemon.makefile()):
        if "error" in reply:
            sys.exit(f"{reply['error']} {reply.get('parameters')}")
        numbers = reply["parameters"]["scene"]
        layers = "  ".join(f"{layer['x']:.2f} {layer['y']:.2f}" for layer in numbers["layers"])
        print(f"{reply['parameters']['state']} {layers}  {numbers['values']['shadow.x']:.2f}", flush=True)
sys.exit("the daemon has left")
