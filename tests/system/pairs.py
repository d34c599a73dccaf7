#!/usr/bin/env python3
"""Every pair of kinds of fault on one place, nested and overlapping: proven each by itself, or refused.

    pairs.py UKEMI TARGET FAMILY PLACE EVERY

FAMILY: of kinds, below. PLACE: a component, a channel, a bus, a network. Of the pairs each EVERY-th one is tried; a kind that shows nothing
there when it is alone is not of this place. Prints a line for each that is neither, then how many there were, and which kinds are not of this place.
Exits with 1 if there was one.
"""
import re
import subprocess
import sys
import tempfile

# What each kind is given, besides its times; %s: the place. `down` are restarted, all others last.
PROCESS = {
    "kill": "", "terminate": "", "stall": "", "restart": "",
    "clock-step": "step_s=0.5", "clock-drift": "rate_ppm=100000", "clock-freeze": "", "overrun": "busy_s=0.012",
}
CHANNEL = {
    "channel-drop": "share=0.5", "channel-delay": "delay_s=0.02", "channel-duplication": "", "channel-reordering": "share=0.3",
    "channel-freeze": "", "channel-corruption": "", "channel-truncation": "", "channel-nan": "field=force_n",
    "channel-value": "field=force_n, value=7", "channel-offset": "field=force_n, value=0.5", "channel-noise": "field=force_n, value=0.5",
    "channel-thinning": "amount=3", "wrong-writer": "field=force_n, value=9", "channel-stale": "", "channel-all-nan": "", "channel-zero": "",
}
SOCKET = {
    "socket-refusal": "", "socket-drop": "share=0.5", "socket-delay": "delay_s=0.3, share=0.5", "socket-duplication": "", "socket-cut": "",
    "socket-reset": "limit=1", "socket-partial-write": "",
}
BUS = {
    "bus-loss": "share=0.5", "bus-corruption": "share=0.3", "payload-corruption": "share=0.5", "bus-delay": "", "bus-reordering": "",
    "bus-duplication": "", "spoofed-reply": "", "babbling-idiot": "", "bus-cut": "", "board-silent": "board=JMC4", "board-reset": "board=JMC4",
    "encoder-stuck": "board=JMC4", "encoder-offset": "board=JMC4", "reading-drift": "board=IMU", "reading-saturated": "board=IMU",
    "reading-swapped": "board=IMU", "wrong-id": "board=JMC4, other_id=1999", "bus-off": "board=JMC4", "swapped-buses": "",
}
LINE = {
    "line-loss": "share=0.3", "line-corruption": "share=0.3", "line-delay": "share=0.3", "line-truncation": "share=0.3", "line-insertion": "",
    "line-collision": "", "line-noise": "", "line-low": "", "line-cut": "", "servo-silent": "node=13",
    "servo-register": "node=13, address=34, value=0", "servo-id-doubled": "node=13, other_id=14", "servo-wrong-baud": "node=13",
    "servo-eeprom-lost": "node=13", "servo-dead": "node=13", "servo-stuck": "node=13", "servo-free": "node=13", "servo-overheated": "node=13",
    "horn-slipped": "node=13", "backlash-grown": "node=13", "voltage-drop": "", "battery-sag": "", "readings-stuck": "",
}
ETHERNET = {
    "ethernet-loss": "cable=hub-b1, share=0.1", "ethernet-corruption": "cable=hub-b1, share=0.1",
    "ethernet-payload": "cable=hub-b1, share=0.1, host=pc, byte=12", "ethernet-delay": "cable=pc-hub, host=b1, delay_s=0.006",
    "ethernet-reordering": "cable=any, delay_s=0.0001", "ethernet-duplication": "cable=pc-hub, host=b1",
    "ethernet-spoof": "cable=pc-hub, host=r1, byte=12", "cable-cut": "cable=b2-b3", "cable-cut-one-way": "cable=b2-b3",
    "cable-flapping": "cable=b2-b3, delay_s=0.002", "cables-swapped": "cable=l1-l2, other_cable=r1-r2", "node-dead": "host=b3",
    "relay-stalled": "host=b3", "relay-slow": "host=b3, delay_s=0.0005", "babbling-node": "host=b3", "ethernet-stranger": "host=b3",
    "oversize-frames": "host=b3", "runt-frames": "host=r2", "hub-without-table": "", "ethernet-stuck": "host=b1",
}
FAMILIES = {
    "process": PROCESS, "channel": CHANNEL, "socket": {**PROCESS, **SOCKET}, "bus": BUS, "line": LINE, "ethernet": ETHERNET,
}
# Who asks a robot for something meanwhile, if anybody.
OPERATOR = {
    "bus": "operator: {program: targets/hubo2/operator_stand}\n",
    "line": "operator: {program: targets/bioloid/operator_play, arguments: stand}\n",
}
MEETINGS = {"nested": ((1.0, 1.5), (1.4, 0.6)), "overlapping": ((1.0, 1.0), (1.5, 1.0)), "at once": ((1.0, 1.0), (1.0, 1.0))}


def fault(kind, place, words, when):
    start, lasts = when
    end = "restart_after_s" if kind in ("kill", "terminate") else "duration_s"
    given = f", parameters: [{words}]" if words else ""
    return f"  - {{ kind: {kind}, component: {place}, at: {{ time_s: [{start}] }}, {end}: {lasts}{given} }}\n"


def trial(ukemi, target, operator, faults):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(f"name: pair\nclaim: c\ntarget: {target}\nduration_s: 4\nwatch_s: 1\n{operator}faults:\n" + "".join(faults))
        file.flush()
        done = subprocess.run([ukemi, "run", file.name, "--seed", "1"], capture_output=True, text=True)
    said = done.stdout + done.stderr
    if done.returncode == 2:
        told = re.search(r"\.yaml:\d+: faults\[\d\]\.at: meets faults\[\d\]", said)
        return ("refused" if told else "left"), said
    proven = re.search(r"^ *PASS +fault-effective", said, re.M) and re.search(r"^ *PASS +fault-undone", said, re.M)
    if not proven or done.returncode not in (0, 1):
        return "left", said
    return ("proven" if done.returncode == 0 else "proven, and the target failed"), said


def main():
    ukemi, target, family, place, every = sys.argv[1:6]
    kinds, operator = FAMILIES[family], OPERATOR.get(family, "")
    pairs = [(a, b, how) for a in kinds for b in kinds for how in MEETINGS]
    count, alone = {}, {}

    def shows_nothing_alone(kind):
        if kind not in alone:
            alone[kind] = trial(ukemi, target, operator, [fault(kind, place, kinds[kind], MEETINGS["at once"][0])])[0]
        return not alone[kind].startswith("proven")

    for number, (a, b, how) in enumerate(pairs):
        if number % int(every):
            continue
        when = MEETINGS[how]
        what, said = trial(ukemi, target, operator, [fault(a, place, kinds[a], when[0]), fault(b, place, kinds[b], when[1])])
        if what == "left" and (shows_nothing_alone(a) or shows_nothing_alone(b)):
            what = "not of this place"
        count[what] = count.get(what, 0) + 1
        if what == "left":
            why = re.findall(r"^.*(?:NOT PROVEN|ERROR lab|\.yaml:\d).*$", said, re.M)
            print(f"left: {a} and {b}, {how}: {(why or ['?'])[0].strip()[:150]}", flush=True)
    print(f"{sum(count.values())} pairs of {len(pairs)}: " + ", ".join(f"{n} {what}" for what, n in sorted(count.items())))
    print("not of this place: " + (", ".join(sorted(kind for kind in alone if not alone[kind].startswith("proven"))) or "none"))
    return 1 if count.get("left") else 0


sys.exit(main())
