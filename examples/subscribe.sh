#!/bin/sh
# Offsets as they come: subscribe.sh [SOCKET]. Needs socat, and sed to pick what is wanted.
socket=${1:-${PARALLAXD_SOCKET:-/run/parallaxd/socket}}
number='\(-\{0,1\}[0-9.eE+-]*\)'
# `-t` keeps reading after the call is said: the stream has no end.
echo '{"method":"org.parallaxd.Motion.Subscribe","more":true}' |
  socat -t 1000000 - "UNIX-CONNECT:$socket" |
  sed -u -n "s/.*\"x\":$number,\"y\":$number,\"state\":\"\([a-z]*\)\".*/\3 \1 \2/p"
