#!/bin/sh
# The motion controller, with one axis whose position is the commanded one. What is loaded lives in
# rtapi_app, which ends with this process.
export HAL_RTMOD_DIR=/usr/lib/linuxcnc/modules RTAPI_FIFO_PATH=/tmp/rtapi_fifo HOME=/tmp
set -e
halcmd loadrt trivkins coordinates=X
halcmd loadrt tpmod
halcmd loadrt homemod
halcmd loadrt motmod base_period_nsec=0 servo_period_nsec=1000000 num_joints=1
halcmd addf motion-command-handler servo-thread
halcmd addf motion-controller servo-thread
halcmd net x joint.0.motor-pos-cmd joint.0.motor-pos-fb
halcmd start
echo motion loaded
while :; do sleep 1000; done
