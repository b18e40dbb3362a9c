#!/bin/sh
# Offsets as they come: subscribe.sh [SOCKET]. Needs socat, and sed to pick what is wanted.
socket=${1:-${PARALLAXD_SOCKET:-/run/parallaxd/socket}}
number='\(-\{0,1\}[0-9.eE+-]*\)'
command -v socat >/dev/null || { echo 'socat is missing' >&2; exit 1; }
# `-t` keeps reading after the call is said: the stream has no end.
echo '{"method":"org.parallaxd.Motion.Subscribe","more":true}' |
  socat -t 1000000 - "UNIX-CONNECT:$socket" 2>/dev/null |
  sed -u -n "s/.*\"x\":$number,\"y\":$number,\"state\":\"\([a-z]*\)\".*/\3 \1 \2/p" &&
  echo "no daemon at $socket, or it has left; PARALLAXD_SOCKET names another" >&2
exit 1
