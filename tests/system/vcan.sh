#!/bin/bash
# SocketCAN for real: where this kernel has no CAN, the claims of tests/vm/inside.sh are checked in an emulated VM with the distribution's
# stock kernel; VCAN_KERNEL=rt takes its PREEMPT_RT kernel, VCAN_FULL=1 adds trials, a campaign and what takes long (minutes).
# limit: 1800 s
# beside others: what its claims rest on waits in an emulated machine, whose time is that of its instructions
set -u
cd "$(dirname "$0")/../.." || exit 3
export KERNEL=${VCAN_KERNEL:-}
VCAN_FULL=${VCAN_FULL:-0}
if [ -z "${VCAN:-}" ]; then
    echo "1..0 # SKIP an emulated VM takes minutes: make check-vcan, or make nightly"
    exit 0
fi
options=()
[ "$KERNEL" != rt ] || options=(--rt)

if ! where=$(tests/vm/run "${options[@]}" --where 2>&1); then
    echo "1..0 # SKIP no SocketCAN here and no VM: $(tail -1 <<<"$where")"
    exit 0
fi
for tool in candump ip; do
    command -v $tool >/dev/null || PATH=$PATH:/sbin:/usr/sbin command -v $tool >/dev/null || {
        echo "1..0 # SKIP $tool is missing: scripts/deps --vm"
        exit 0
    }
done
echo "# $where"

# Trials that are run here first, without CAN: short ones, since the VM is slow.
EXPECTED=$(mktemp -d)
export EXPECTED
trap 'rm -rf "$EXPECTED"' EXIT
trap 'exit 130' INT TERM
mkdir "$EXPECTED/scenarios"
cp tests/vm/scenarios/*.yaml "$EXPECTED/scenarios/"
if [ "$VCAN_FULL" != 0 ]; then # more of them, a balance daemon killed while walking, and some cells of Table I
    cp tests/vm/scenarios/more/*.yaml "$EXPECTED/scenarios/"
    sed -e 's/^duration_s:.*/duration_s: 6/' -e 's/^watch_s:.*/watch_s: 1/' -e 's/after_s: [0-9.]*/after_s: 4.5/' \
        scenarios/process/013-balance-killed-outside.yaml >"$EXPECTED/scenarios/balance-killed.yaml"
    sed 's/^duration_s:.*/duration_s: 2/' tests/vm/scenarios/more/vcan-stand.yaml >"$EXPECTED/scenarios/campaign-stand.yaml"
    for walk in 002-walk-quasi-static:8 003-walk-dynamic:9; do
        sed -e "s/^duration_s:.*/duration_s: ${walk#*:}/" -e 's/^watch_s:.*/watch_s: 1/' -e 's/^must_complete:.*/must_complete: false/' \
            "scenarios/motion/${walk%:*}.yaml" >"$EXPECTED/scenarios/campaign-${walk%:*}.yaml"
    done
    cp -r tests/vm/scenarios/campaigns "$EXPECTED/scenarios/"
fi
. tests/system/noisy_trial # what tests/vm/peers.sh replays
noisy_trial "$EXPECTED/peer" && UKEMI_ROOT=$PWD "$BUILD/bin/ukemi" export "$EXPECTED/peer/t.mcap" -o "$EXPECTED/peer/t.log" &&
    UKEMI_ROOT=$PWD "$BUILD/bin/ukemi" export hubo2 --format dbc -o "$EXPECTED/peer/t.dbc" ||
    { echo "not ok - a trial runs here and is exported" && exit 1; }
# What others listen to, and is replayed into the Hardware daemon (tests/vm/beside.sh, peers.sh).
listeners=$EXPECTED/peer/vcan-listeners
cp tests/vm/scenarios/beside/vcan-listeners.yaml "$listeners.yaml"
rm -f "$BUILD"/tests/vm/held-* # nobody releases what a killed test held
UKEMI_FAULTS=tests/vm/catalogue UKEMI_ROOT=$PWD "$BUILD/bin/ukemi" run "$listeners.yaml" --can embedded --keep "$listeners.mcap" |
    grep -v ' simulated in ' | sed 's/^\(history [0-9a-f]*\) in .*/\1/' >"$listeners.txt"
UKEMI_ROOT=$PWD "$BUILD/bin/ukemi" export "$listeners.mcap" -o "$listeners.log" ||
    { echo "not ok - a trial with holds runs here and is exported" && exit 1; }
for scenario in "$EXPECTED"/scenarios/*.yaml; do
    [[ $scenario != */campaign-* ]] || continue
    name=$(basename "$scenario" .yaml)
    UKEMI_ROOT=$PWD "$BUILD/bin/ukemi" run "$scenario" --can embedded | grep -v ' simulated in ' >"$EXPECTED/$name.txt"
    grep -q '^history [0-9a-f]\{32\}$' "$EXPECTED/$name.txt" || { echo "not ok - $name runs here" && exit 1; }
done
for campaign in "$EXPECTED"/scenarios/campaigns/*.yaml; do
    [ -e "$campaign" ] || continue
    name=$(basename "$campaign" .yaml)
    UKEMI_ROOT=$PWD "$BUILD/bin/ukemi" campaign "$campaign" --quiet --db "$EXPECTED/$name.db" --output "$EXPECTED/report" --can embedded \
        >"$EXPECTED/$name.log"
    sqlite3 "$EXPECTED/$name.db" "$(<tests/vm/trials.sql)" >"$EXPECTED/$name.trials"
    [ -s "$EXPECTED/$name.trials" ] || { echo "not ok - campaign $name runs here" && exit 1; }
done

# Killed without a chance to clean up, the runner leaves no VM.
. tests/system/processes
tests/vm/run "${options[@]}" sleep 1000 2>/dev/null &
victim=$!
for _ in $(seq 300); do
    mapfile -t below < <(descendants $victim)
    # shellcheck disable=SC2046 # one path a word
    grep -qs -e qemu -e sleep $(printf '/proc/%s/comm ' "${below[@]}") && break
    sleep 0.1
done
kill -KILL $victim
wait $victim 2>/dev/null
[ ${#below[@]} -gt 0 ] && gone 10 "${below[@]}" || printf 'not '
echo "ok 1 - killed, tests/vm/run leaves none of the ${#below[@]} processes below it"

# The script closes with its plan; a VM that dies before leaves the test without one, and with a status.
[[ $BUILD = /* ]] || BUILD=$PWD/$BUILD
CLAIMS_BEFORE=1 tests/vm/run "${options[@]}" --limit $((VCAN_FULL ? 9000 : 1700)) tests/vm/inside.sh
