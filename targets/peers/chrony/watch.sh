#!/bin/sh
# watch.sh PORT: what the chronyd at this port says of its clock, once a second.
while sleep 1; do
    chronyc -n -h 127.0.0.1 -p "$1" -c tracking
done
