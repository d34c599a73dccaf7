#!/bin/bash
# `ukemi export`: the traffic of a trial as candump log and pcapng, and the DBC, which must say of every frame what the project's own
# decoder says.
# beside others: all trials are on the virtual clock, where a history depends on nothing outside
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
export UKEMI_ROOT=$PWD

# ---- a trial in which some frames end in error frames -----------------------------------------------------------------------
. tests/system/noisy_trial
noisy_trial "$folder" || { result 1 "a trial runs" "$folder/trial" && exit 1; }

exported() {
    "$ukemi" export "$folder/t.mcap" -o "$folder/t.log" && "$ukemi" export "$folder/t.mcap" --format pcapng -o "$folder/t.pcapng" &&
        "$ukemi" export hubo2 --format dbc -o "$folder/t.dbc" && [ -s "$folder/t.log" ] && [ -s "$folder/t.pcapng" ] && [ -s "$folder/t.dbc" ]
}
as_the_nodes_counted() { # the fault's evidence, by the nodes' own counters, names as many failed frames as the log has error frames
    local counted
    counted=$(sed -n 's/.*the nodes counted \([0-9]*\) failed.*/\1/p' "$folder/trial" | head -1)
    echo "nodes: $counted, log: $(grep -c ' 20000088#0000000000000000$' "$folder/t.log")"
    [ "$counted" -gt 0 ] && [ "$(grep -c ' 20000088#0000000000000000$' "$folder/t.log")" -eq "$counted" ]
}
well_formed() {
    ! grep -vE '^\([0-9]{10}\.[0-9]{6}\) can[01] ([0-9A-F]{3}#([0-9A-F]{2}){0,8}|2[0-9A-F]{7}#[0-9A-F]{16})$' "$folder/t.log"
}
in_order() { # of time; two frames of one bus at least the 47 us apart that the shortest frame takes
    awk '{ gsub(/[()]/, "", $1) }
         $1 < last || ($2 in of && $1 - of[$2] < 46.9e-6) { print; bad = 1 }
         { last = $1; of[$2] = $1 } END { exit bad }' "$folder/t.log"
}
shifted() {
    "$ukemi" export "$folder/t.mcap" --epoch 1700000000 >"$folder/later.log" &&
        awk '{ sub(/^\(1700000/, "(0000000"); print }' "$folder/later.log" | cmp - "$folder/t.log"
}
as_long_as_counted() { # what the command says it wrote is what lies there
    local said
    said=$("$ukemi" export "$folder/t.mcap" -o "$folder/again.log")
    echo "$said"
    [[ $said == *": $(grep -c ' can0 ' "$folder/t.log") frames of can0, $(grep -c ' can1 ' "$folder/t.log") of can1,"* ]] &&
        cmp "$folder/again.log" "$folder/t.log"
}

# ---- the DBC against our own decoder ------------------------------------------------------------------------------------------
decoder=$BUILD/tests/system/frame_decoder
description=targets/hubo2/hubo2.xml
same_values() { # same_values LOG [AWK VARIABLE]: both read the same from every frame, and the DBC's reader complains about nothing
    "$decoder" decode $description <"$1" | sort -k1,1n -k2,2 >"$folder/own" &&
        awk ${2:+-v "$2"} -f tests/system/dbc_decode.awk "$folder/t.dbc" "$1" 2>"$folder/complaints" | sort -k1,1n -k2,2 >"$folder/theirs" &&
        [ "$(grep -vc ' 2[0-9A-F]\{7\}#' "$1")" -eq "$(cut -d' ' -f1 "$folder/own" | uniq | wc -l)" ] &&
        [ "$(wc -l <"$folder/own")" -eq "$(wc -l <"$folder/theirs")" ] &&
        paste -d' ' "$folder/own" "$folder/theirs" |
        awk '{ off = $3 - $6; if (off < 0) off = -off; size = $3 < 0 ? -$3 : $3 }
             $1 != $4 || $2 != $5 || off > 1e-12 * (1 + size) { print; bad = 1 } END { print NR " values"; exit bad }' &&
        head "$folder/complaints" && [ ! -s "$folder/complaints" ]
}
everything_is_known() { # a sample of every kind of frame, filled with random bits; no message of the DBC is missing in it
    "$decoder" sample $description 1 >"$folder/sample.log" && same_values "$folder/sample.log" any_value=1 &&
        diff <(cut -d' ' -f2 "$folder/theirs" | cut -d. -f1 | sort -u) <(sed -n 's/^BO_ [0-9]* \(.*\):.*/\1/p' "$folder/t.dbc" | sort)
}
a_wrong_scale_is_noticed() { # the comparison can fail
    sed 's/^\( SG_ RKN_position : [^ ]* (\)[^,]*/\10.00001/' "$folder/t.dbc" >"$folder/wrong.dbc" && ! cmp -s "$folder/t.dbc" "$folder/wrong.dbc" &&
        cp "$folder/t.dbc" "$folder/right.dbc" && cp "$folder/wrong.dbc" "$folder/t.dbc" && ! same_values "$folder/t.log"
    local result=$?
    cp "$folder/right.dbc" "$folder/t.dbc"
    return $result
}

claim "a trial's traffic is exported as candump log and pcapng, and the robot's DBC" exported
claim "the log has as many error frames as the nodes counted failed ones" as_the_nodes_counted
claim "every line is one that candump -L could have written" well_formed
claim "frames are in order of time, those of one bus at least a frame's length apart" in_order
claim "--epoch moves every time, and nothing else" shifted
claim "the command's figures are those of the file, and exporting again gives the same bytes" as_long_as_counted
claim "every value of every frame, read by the DBC, equals our own decoder's, and is in its range" same_values "$folder/t.log"
claim "so it is for random bits in every message there is" everything_is_known
claim "a wrong scale in the DBC would have been noticed" a_wrong_scale_is_noticed
claim "a history does not name its target" answers 2 'name the target' "$ukemi" export "$folder/t.mcap" --format dbc
claim "a target that does not exist is named" answers 2 'ukemi list targets' "$ukemi" export hubo9 --format dbc
claim "a target without CAN boards has no DBC" answers 2 'target pendulum has no CAN boards' "$ukemi" export pendulum --format dbc
# The same trace from any run; spans of one thread nest or follow each other, and each frame of the log is a span.
traced() {
    "$ukemi" export "$folder/t.mcap" "$folder/scenarios/noisy.yaml" --format trace -o "$folder/t.json" || return 1
    python3 - "$folder/t.json" "$(wc -l <"$folder/t.log")" <<'PYTHON'
import json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
names = {e["args"]["name"] for e in events if e["ph"] == "M"}
missing = {"faults", "can0", "can1", "hardware", "life", "state", "bus-corruption can0"} - names
threads = {}
for e in events:
    if e["ph"] == "X":
        threads.setdefault((e["pid"], e["tid"]), []).append((e["ts"], -e["dur"]))
crossed = 0
for spans in threads.values():
    open_until = []
    for start, length in sorted(spans):
        while open_until and open_until[-1] <= start + 0.002:
            open_until.pop()
        crossed += bool(open_until) and start - length > open_until[-1] + 0.002
        open_until.append(start - length)
frames = sum(len(spans) for (pid, _), spans in threads.items() if pid == 2)
print("missing", missing, "crossed", crossed, "frames", frames)
sys.exit(bool(missing) or crossed > 0 or frames != int(sys.argv[2]))
PYTHON
}
claim_with python3 "reads the trial as a trace: its processes, channels and faults, a span for each frame" traced
claim "a trace of a history wants its scenario" answers 2 'name its scenario, too' "$ukemi" export "$folder/t.mcap" --format trace
claim "a film of a history wants its scenario" answers 2 'name its scenario, too' "$ukemi" export "$folder/t.mcap" --format film -o "$folder/t.webp"
claim "an unknown format is bad input" answers 2 "is not candump, pcapng, dbc, hgrm, cyclictest, film or trace" "$ukemi" export "$folder/t.mcap" --format asc
claim "a history that does not exist is bad input" answers 2 'none.mcap' "$ukemi" export "$folder/none.mcap"
claim "a place that cannot be written is bad input" answers 2 'name another file with -o' "$ukemi" export "$folder/t.mcap" -o "$folder/no/t.log"
claim "a full disk is noticed" answers 2 'No space left' bash -c '"$0" export "$1" >/dev/full' "$ukemi" "$folder/t.mcap"
plan
