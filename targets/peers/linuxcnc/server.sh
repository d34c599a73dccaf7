#!/bin/sh
# The buffers by which the others talk. What it starts goes into the background, and ends with this
# process.
linuxcncsvr -ini /dev/shm/target/sim.ini || exit
while :; do sleep 1000; done
