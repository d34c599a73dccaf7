#!/bin/bash
# `ukemi export`: the traffic of a trial as candump log and pcapng, and the DBC, which must say of every frame what the project's own
# decoder says.
set -u
cd "$(dirname "$0")/../.." || exit 3
BUILD=${BUILD:-build}
[[ $BUILD = /* ]] || BUILD=$PWD/$BUILD
ukemi=$BUILD/bin/ukemi
export UKEMI_ROOT=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n=0

claim() { # claim TEXT COMMAND...: the command succeeds
    n=$((n + 1))
    if "${@:2}" >"$work/out" 2>&1 </dev/null; then
        echo "ok $n - $1"
    else
        echo "not ok $n - $1"
        tail -20 "$work/out" | sed 's/^/# /'
    fi
}
refused() { # refused PATTERN COMMAND...: exit 2 and a message
    "${@:2}" >"$work/words" 2>&1
    local code=$?
    cat "$work/words"
    [ $code -eq 2 ] && grep -qE -- "$1" "$work/words"
}

# ---- a trial in which some frames end in error frames -----------------------------------------------------------------------
. tests/system/noisy_trial
noisy_trial "$work" || { echo "not ok 1 - a trial runs" && tail -5 "$work/trial" | sed 's/^/# /' && exit 1; }

exported() {
    "$ukemi" export "$work/t.mcap" -o "$work/t.log" && "$ukemi" export "$work/t.mcap" --format pcapng -o "$work/t.pcapng" &&
        "$ukemi" export hubo2 --format dbc -o "$work/t.dbc" && [ -s "$work/t.log" ] && [ -s "$work/t.pcapng" ] && [ -s "$work/t.dbc" ]
}
as_the_nodes_counted() { # the fault's evidence, by the nodes' own counters, names as many failed frames as the log has error frames
    local counted
    counted=$(sed -n 's/.*the nodes counted \([0-9]*\) failed.*/\1/p' "$work/trial" | head -1)
    echo "nodes: $counted, log: $(grep -c ' 20000088#0000000000000000$' "$work/t.log")"
    [ "$counted" -gt 0 ] && [ "$(grep -c ' 20000088#0000000000000000$' "$work/t.log")" -eq "$counted" ]
}
well_formed() {
    ! grep -vE '^\([0-9]{10}\.[0-9]{6}\) can[01] ([0-9A-F]{3}#([0-9A-F]{2}){0,8}|2[0-9A-F]{7}#[0-9A-F]{16})$' "$work/t.log"
}
in_order() { # of time; two frames of one bus at least the 47 us apart that the shortest frame takes
    awk '{ gsub(/[()]/, "", $1) }
         $1 < last || ($2 in of && $1 - of[$2] < 46.9e-6) { print; bad = 1 }
         { last = $1; of[$2] = $1 } END { exit bad }' "$work/t.log"
}
shifted() {
    "$ukemi" export "$work/t.mcap" --epoch 1700000000 >"$work/later.log" &&
        awk '{ sub(/^\(1700000/, "(0000000"); print }' "$work/later.log" | cmp - "$work/t.log"
}
as_long_as_counted() { # what the command says it wrote is what lies there
    local said
    said=$("$ukemi" export "$work/t.mcap" -o "$work/again.log")
    echo "$said"
    [[ $said == *": $(grep -c ' can0 ' "$work/t.log") frames of can0, $(grep -c ' can1 ' "$work/t.log") of can1,"* ]] &&
        cmp "$work/again.log" "$work/t.log"
}

# ---- the DBC against our own decoder ------------------------------------------------------------------------------------------
decoder=$BUILD/tests/system/frame_decoder
description=targets/hubo2/hubo2.xml
same_values() { # same_values LOG [AWK VARIABLE]: both read the same from every frame, and the DBC's reader complains about nothing
    "$decoder" decode $description <"$1" | sort -k1,1n -k2,2 >"$work/own" &&
        awk ${2:+-v "$2"} -f tests/system/dbc_decode.awk "$work/t.dbc" "$1" 2>"$work/complaints" | sort -k1,1n -k2,2 >"$work/theirs" &&
        [ "$(grep -vc ' 2[0-9A-F]\{7\}#' "$1")" -eq "$(cut -d' ' -f1 "$work/own" | uniq | wc -l)" ] &&
        [ "$(wc -l <"$work/own")" -eq "$(wc -l <"$work/theirs")" ] &&
        paste -d' ' "$work/own" "$work/theirs" |
        awk '{ off = $3 - $6; if (off < 0) off = -off; size = $3 < 0 ? -$3 : $3 }
             $1 != $4 || $2 != $5 || off > 1e-12 * (1 + size) { print; bad = 1 } END { print NR " values"; exit bad }' &&
        head "$work/complaints" && [ ! -s "$work/complaints" ]
}
everything_is_known() { # a sample of every kind of frame, filled with random bits; no message of the DBC is missing in it
    "$decoder" sample $description 1 >"$work/sample.log" && same_values "$work/sample.log" any_value=1 &&
        diff <(cut -d' ' -f2 "$work/theirs" | cut -d. -f1 | sort -u) <(sed -n 's/^BO_ [0-9]* \(.*\):.*/\1/p' "$work/t.dbc" | sort)
}
a_wrong_scale_is_noticed() { # the comparison can fail
    sed 's/^\( SG_ RKN_position : [^ ]* (\)[^,]*/\10.00001/' "$work/t.dbc" >"$work/wrong.dbc" && ! cmp -s "$work/t.dbc" "$work/wrong.dbc" &&
        cp "$work/t.dbc" "$work/right.dbc" && cp "$work/wrong.dbc" "$work/t.dbc" && ! same_values "$work/t.log"
    local result=$?
    cp "$work/right.dbc" "$work/t.dbc"
    return $result
}

claim "a trial's traffic is exported as candump log and pcapng, and the robot's DBC" exported
claim "the log has as many error frames as the nodes counted failed ones" as_the_nodes_counted
claim "every line is one that candump -L could have written" well_formed
claim "frames are in order of time, those of one bus at least a frame's length apart" in_order
claim "--epoch moves every time, and nothing else" shifted
claim "the command's figures are those of the file, and exporting again gives the same bytes" as_long_as_counted
claim "every value of every frame, read by the DBC, equals our own decoder's, and is in its range" same_values "$work/t.log"
claim "so it is for random bits in every message there is" everything_is_known
claim "a wrong scale in the DBC would have been noticed" a_wrong_scale_is_noticed
claim "a history does not name its target" refused 'name the target' "$ukemi" export "$work/t.mcap" --format dbc
claim "a target that does not exist is named" refused 'ukemi list targets' "$ukemi" export hubo9 --format dbc
claim "an unknown format is bad input" refused "write candump, pcapng, dbc, hgrm or cyclictest" "$ukemi" export "$work/t.mcap" --format asc
claim "a history that does not exist is bad input" refused 'none.mcap' "$ukemi" export "$work/none.mcap"
claim "a place that cannot be written is bad input" refused 'name another file with -o' "$ukemi" export "$work/t.mcap" -o "$work/no/t.log"
claim "a full disk is noticed" refused 'No space left' bash -c '"$0" export "$1" >/dev/full' "$ukemi" "$work/t.mcap"
echo "1..$n"
