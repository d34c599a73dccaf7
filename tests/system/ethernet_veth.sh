#!/bin/bash
# Networks whose frames travel through the kernel (veth), in real time. The machine may be busy: claims leave room for lost cycles,
# and none is about how late a frame is.
# beside others: the machine may be busy
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
needs "a wall"
export UKEMI_ROOT=$PWD UKEMI_PATH=$folder

claim "in virtual time veth is refused, with a remedy" answers 2 '--ethernet veth: .* add --wall' "$ukemi" run 255 --ethernet veth
claim "... in a campaign, too" answers 2 '--ethernet veth: .* add --wall' "$ukemi" campaign ethernet-short --ethernet veth --db "$folder/none.db"
claim "... and so is a medium that there is not" answers 2 "'tin' is not auto, embedded or veth" "$ukemi" run 255 --wall --ethernet tin

if ! "$ukemi" run 255 --wall --ethernet veth >"$folder/said" 2>&1 && grep -q 'ethernet veth: ' "$folder/said"; then
    skip "frames travel through the kernel" "$(head -1 "$folder/said")"
    plan
    exit
fi
# by_veth SCENARIO: a trial of it; what it said is in $folder/out.
by_veth() {
    "$ukemi" run "$1" --wall --ethernet veth --seed 1 >"$folder/out" 2>&1
    cat "$folder/out"
    grep -q 'networks: veth)$' "$folder/out"
}
# lost RELATION COUNT: so many of the answers of 13 nodes were lost.
lost() { awk -v n="$2" '$1 == "lost_answers" { found = 1; lost = $2 } END { exit !(found && lost '"$1"' n) }' "$folder/out"; }
proven() { [ "$(grep -cE '^  PASS +fault-(effective|undone) ' "$folder/out")" -eq 2 ]; }

crossed() { by_veth 255 && lost '<' 300; }
claim "13 nodes answer over cables of the kernel, which relays itself" crossed
switched() { by_veth 256 && proven && lost '<' 120 && grep -qE '^  PASS +it-is-found' "$folder/out"; }
claim "a cable that is unplugged is named, routes are switched, and that is undone" switched
seamless() { by_veth 257 && proven && lost '<' 60 && grep -qE '^  copies +[1-9]' "$folder/out"; }
claim "... and by frames both ways next to nothing is lost" seamless
in_the_middle() { by_veth 258 && proven && grep -qE '^  crc_errors +[1-9]' "$folder/out" && grep -qE '^  holes +[1-9]' "$folder/out"; }
claim "frames are lost and broken by who stands in the middle of a cable, and counted" in_the_middle
flooded() { by_veth 320 && proven; }
claim "a hub without its table sends each frame to all, and then no more" flooded
claim "a fault that the kernel's interfaces do not carry is refused with its reason" \
    answers any 'not run here: runt-frames: .*--ethernet embedded' "$ukemi" run 259 --wall --ethernet veth

# real SCENARIO PATTERN: in real time, by the embedded network; the machine may be busy.
real() { answers any "$2" "$ukemi" run "$1" --wall --ethernet embedded --seed 1; }
sed '/^faults:/,/kind:/d' tests/canaries/ethernet/late-network.yaml >"$folder/in-time.yaml"
claim "nodes of hrp3p whose machine is late are not taken for a late network" real "$folder/in-time.yaml" '^  PASS  in-time'
late="canary: a network that is really late is"
real tests/canaries/ethernet/late-network.yaml '^  FAIL  in-time' >"$folder/late"
code=$? held=$(awk '$1 == "held_up" && $2 > 500 { print $2 }' "$folder/late") # of 2600 answers; 0 on a quiet machine
if [ $code -ne 0 ] && [ -n "$held" ]; then
    skip "$late" "this machine held up $held answers"
else
    result $code "$late" "$folder/late"
fi

measured() { # what is stored has each kind of configuration
    "$ukemi" bench ethernet --runs 1 --duration 0.1 --db "$folder/b.db" --output "$folder/page" >"$folder/out" 2>&1 && "$ukemi" show 1 --db "$folder/b.db" >>"$folder/out"
    grep -qE 'kernel hop p50 ' "$folder/out" && grep -qE 'send / bare' "$folder/out" && [ "$(grep -cE '^ *[0-9]+ us, [0-9]+ B: 1 of 1 runs count' "$folder/out")" -eq 27 ] &&
        awk '$1 == "not" && $2 == "received" { all += 1; lost += $3 > 100 } END { exit !(all == 27 && lost < 9) }' "$folder/out"
}
claim "the benchmark measures the paper's periods and sizes, relays and cuts" measured
paged() { # three figures, and what the boards do beside what the paper says
    [ "$(grep -c '<figure><svg' "$folder/page/ethernet.html")" -eq 3 ] && grep -qF '<td>so 100 and 50 us were skipped</td><td>100 us off at 100 us, 150 us at 50 us: ticks are missed</td>' "$folder/page/ethernet.html" &&
        grep -qF '<td>27 of 30 are done, these not</td>' "$folder/page/ethernet.html"
}
claim "its page has the paper's figures beside the paper's words" paged
board() { # PERIOD_US BYTES: error, calls and way [us], and ticks missed
    awk -v of="board, $1 us, $2 B:" 'index($0, of) == 1 { on = 1; next } on && /^[a-z]/ { exit } !on { next }
        $1 == "board" && $3 ~ /^error$/ { error = $NF } $1 == "board" && $2 == "send" { calls += $NF } $1 == "board" && $2 == "receive" { calls += $NF }
        $2 == "to" { way = $NF } $1 == "missed" { missed = $2 > 0 } END { print error, calls, way, missed }' "$folder/out"
}
boards() { [ "$(board 200 1500)" = "0.0 200 246.1 0" ] && [ "$(board 100 1000)" = "100.0 200 166.1 1" ] && [ "$(board 50 50)" = "150.0 200 14.1 1" ]; }
claim "boards whose calls take 200 us keep a period of 200 us and miss ticks of shorter ones, as in Fig. 9" boards
if command -v cyclictest >/dev/null; then
    claim "... and cyclictest is measured in the same run" grep -qE '^  cyclictest wakes +[1-9]' "$folder/out"
else
    skip "... and cyclictest is measured in the same run" "there is no cyclictest; scripts/deps --bench installs it"
fi

# ---- canary -----------------------------------------------------------------------------------------------------------------
mkdir -p "$folder/targets/idle"
touch "$folder/ukemi.yaml"
cp targets/ethernet/*.msg "$folder/targets/idle/"
sed -e 's|run: \[targets/ethernet/network\]|run: [tests/canaries/ethernet/idle_kernel]|' -e 's/^name: ethernet/name: idle/' \
    targets/ethernet/target.yaml >"$folder/targets/idle/target.yaml"
idle() { # SCENARIO WORDS: by a kernel that does nothing the fault is an error
    sed -e 's/^target: .*/target: idle/' -e '/^promises:/,$d' "scenarios/ethernet/$1" >"$folder/idle.yaml"
    echo 'promises: [{name: answers, eventually: "missing < 0.5"}]' >>"$folder/idle.yaml"
    by_veth "$folder/idle.yaml"
    grep -qE "^  ERROR +fault-effective .*$2" "$folder/out"
}
claim "canary: a cable that keeps its carrier was not cut" idle 256-cut-and-mended-by-any-medium.yaml cable-cut
claim "canary: without anybody in the middle no frame was lost" idle 258-frames-lost-and-corrupted.yaml ethernet-
plan
