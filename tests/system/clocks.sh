#!/bin/bash
# Clocks of their own: oscillators of processes, and the target clocks, whose nodes follow a reference over the network.
# beside others: it runs on the virtual clock
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
ukemi=$BUILD/bin/ukemi
export UKEMI_ROOT=$PWD

# runs CODE PATTERN FILE [SED]: a trial of it, changed so, ends with this status and says this.
runs() {
    sed "${4:-}" "$3" >"$folder/trial.yaml"
    "$ukemi" run "$folder/trial.yaml" --seed 1 --keep "$folder/t.mcap" >"$folder/out" 2>&1
    local code=$?
    cat "$folder/out"
    [ $code -eq "$1" ] && grep -qE "$2" "$folder/out"
}
first=scenarios/clocks/250-neighbours-agree.yaml
shorter='s/^duration_s: .*/duration_s: 28/'
claim "neighbours that ask each other keep one time within 1 us rms, by oscillators 50 ppm wrong" runs 0 '^  PASS  in-time' $first "$shorter"
errors() { awk '/^  rms_hop/ { print $2 }' "$folder/out"; } # by hop
errors >"$folder/neighbours"
exported() {
    "$ukemi" export "$folder/t.mcap" --format pcapng -o "$folder/t.pcapng" &&
        tshark -r "$folder/t.pcapng" -Y ptp -T fields -e ptp.v2.messagetype 2>/dev/null | sort | uniq -c >"$folder/types" &&
        cat "$folder/types" && [ "$(awk '$1 > 100' "$folder/types" | wc -l)" -eq 3 ] &&
        [ "$(tshark -r "$folder/t.pcapng" -Y _ws.malformed 2>/dev/null | wc -l)" -eq 0 ]
}
claim_with tshark "tshark reads their questions, answers and follow-ups, and finds nothing malformed" exported
beaten() { # the same oscillators
    runs 0 '^  PASS  worse' scenarios/clocks/251-one-master.yaml 's/^duration_s: .*/duration_s: 28/; s/after_s: 39/after_s: 27/' || return 1
    errors | paste "$folder/neighbours" - | tee "$folder/both"
    [ "$(awk 'NR > 1 && $1 < $2' "$folder/both" | wc -l)" -eq 4 ]
}
at_night "... from the second hop on better than if all ask one master" beaten
claim "canary: a node that never follows its reference is failed" runs 1 '^  FAIL  in-time' tests/canaries/ethernet/undisciplined-node.yaml
at_night "a node whose clock jumps is found by its stamps, and right again after 3 s" runs 0 'applied clock-step|500 stamps' scenarios/clocks/252-clock-stepped.yaml \
    's/^duration_s: .*/duration_s: 28/; s/^watch_s: .*/watch_s: 5/; s/, duration_s: 5,/, duration_s: 2,/; /right-again/d'
at_night "a question that is held up on its way spoils no clock" runs 0 '^  PASS  fault-effective' scenarios/clocks/279-questions-held-up.yaml
claim "an oscillator of a process that there is not is refused with file and line" runs 2 \
    'trial.yaml:[0-9]+: oscillators.0..processes.4.: b9: clocks has no such process' $first 's/b5\], offset/b9], offset/'
claim "... and one that is no quartz" runs 2 'trial.yaml:[0-9]+: oscillators.0..drift_ppm' $first 's/-50, 50/-50, 5000/'
claim "... and one of the world" runs 2 'network: only processes with' $first 's/b5\], offset/network], offset/'
plan
