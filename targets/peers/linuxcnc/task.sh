#!/bin/sh
# milltask, when the signal is there that lets it leave the emergency stop.
export HAL_RTMOD_DIR=/usr/lib/linuxcnc/modules RTAPI_FIFO_PATH=/tmp/rtapi_fifo HOME=/tmp
: >/tmp/sim.tbl
halcmd net enable iocontrol.0.user-enable-out iocontrol.0.emc-enable-in
exec milltask -ini /dev/shm/target/sim.ini
