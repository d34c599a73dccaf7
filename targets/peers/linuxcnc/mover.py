#!/usr/bin/python3
# Takes the machine out of the emergency stop, homes it, and sends it to 80 mm at 10 mm/s.
import time
import linuxcnc

command, stat = linuxcnc.command(), linuxcnc.stat()


def until(holds):
    while not holds():
        time.sleep(0.05)
        stat.poll()


stat.poll()
command.state(linuxcnc.STATE_ESTOP_RESET)
until(lambda: stat.task_state != linuxcnc.STATE_ESTOP)
command.state(linuxcnc.STATE_ON)
until(lambda: stat.task_state == linuxcnc.STATE_ON)
command.mode(linuxcnc.MODE_MANUAL)
command.wait_complete()
command.home(0)
until(lambda: stat.homed[0])
command.mode(linuxcnc.MODE_MDI)
command.wait_complete()
command.mdi("G1 X80 F600")
until(lambda: stat.position[0] > 1)
print("moving", flush=True)
while True:
    time.sleep(1)
