# Programs that nobody here wrote, beside a running trial: they listen, they send, they flood, they route. Read by tests/vm/inside.sh, whose
# helpers and claims it uses; tests/system/vcan.sh has run EXPECTED/peer/vcan-listeners.yaml without CAN and exported it.
#
# A cell's interfaces are its own: what happens on them is seen from inside its network namespace. A trial's holds (tests/vm/hold.c), `start`
# and `end`, let these programs be ready before it goes on, and done before it ends, however fast the machine is.
# shellcheck shell=bash disable=SC2154

beside=$work/beside
mkdir -p "$beside"

# start_trial SCENARIO: returns when it has come to its first hold. $trial is its process, $robot one inside.
start_trial() {
    touch "$BUILD"/tests/vm/held-{start,end}
    UKEMI_FAULTS=tests/vm/catalogue ukemi run "$1" --core 0 >"$work/trial" 2>&1 &
    trial=$!
    for _ in $(seq 600); do
        pgrep -x hold >"$work/log.hold" && robot=$(pgrep -x simulator) && return 0
        sleep 0.1
    done
    go_on start end
    wait $trial
    cat "$work/trial"
    return 1
}
go_on() { for name; do rm -f "$BUILD/tests/vm/held-$name"; done; }
within() { nsenter -t "$robot" -n "$@"; }
# sockets INTERFACE [LIST]: how many listen there, to everything or as the kernel's list LIST says.
sockets() { within grep -c "^ *$1 " "/proc/net/can/rcvlist_${2:-all}"; }
# joined COUNT INTERFACE [LIST]: waits until there are so many.
joined() {
    for _ in $(seq 600); do
        [ "$(sockets "${@:2}")" -ge "$1" ] && return 0
        sleep 0.1
    done
    return 1
}
stopped() { # stopped PROCESS...
    kill "$@" 2>/dev/null
    wait "$@" 2>/dev/null
}
strangers_on() { sed -n "s/^ *$1 .*; \([0-9]*\) from strangers\$/\1/p" "$work/trial"; }
# nobody_died STATUS: the target may have failed, the lab may not.
nobody_died() {
    cat "$work/trial"
    [ "$1" -le 1 ] && on_interfaces "$work/trial" && grep -q 'PASS  peers-survive' "$work/trial" && ! grep -q 'lab error' "$work/trial"
}

# ---- they listen ------------------------------------------------------------------------------------------------------------
listeners_change_nothing() {
    local listeners=() before other load=0
    start_trial "$EXPECTED/peer/vcan-listeners.yaml" || return 1
    before=$(sockets can0) other=$(sockets can1)
    within candump -L -r 2000000 can0 can1 >"$beside/running.log" &
    listeners+=($!)
    within canbusload can0@1000000 can1@1000000 >"$beside/load" &
    listeners+=($!)
    within isotpdump -s 7E0 -d 7E8 can0 >"$beside/isotpdump" &
    listeners+=($!)
    within isotprecv -s 7E8 -d 7E0 can0 >"$beside/isotprecv" &
    listeners+=($!)
    joined $((before + 2)) can0 && joined $((other + 2)) can1
    go_on start
    for _ in $(seq 100); do # canbusload tells once a second
        load=$(awk '/can0@/ { frames += $2 } END { print frames + 0 }' "$beside/load")
        [ "$load" -eq 0 ] || break
        sleep 0.1
    done
    go_on end
    wait $trial
    stopped "${listeners[@]}"
    cat "$work/trial" && echo "canbusload: $load frames of can0"
    [ "$load" -gt 0 ] && on_interfaces "$work/trial" && diff "$EXPECTED/peer/vcan-listeners.txt" <(grep -v ' simulated in ' "$work/trial")
}
# What candump heard of each identifier, in its order, is what the trial without CAN put on the bus. The first hold comes after the Hardware
# daemon's first cycle: its requests were not heard. Those that were handed over when the trial ended were heard and never sent.
candump_heard_the_record() {
    wc -l "$beside/running.log" "$EXPECTED/peer/vcan-listeners.log"
    awk '{ split($3, part, "#"); of = $2 " " part[1] }
         FNR == NR { if ($1 < "(0000000000.009" && part[1] < "040") next
                     sent[of, ++count[of]] = part[2]; next }
         ++heard[of] <= count[of] && sent[of, heard[of]] != part[2] { print "other: " $0; bad = 1 }
         END { for (of in count) if (heard[of] < count[of]) { print of ": " heard[of] + 0 " of " count[of]; bad = 1 }
               for (of in heard) if (heard[of] > count[of] + 40) { print of ": " heard[of] " of " count[of] + 0; bad = 1 }
               exit bad }' "$EXPECTED/peer/vcan-listeners.log" "$beside/running.log" >"$beside/other"
    local code=$?
    head "$beside/other"
    return $code
}
# Every message but the one reference that no program sends: that of the neck's board.
canmatrix_reads_the_running_stack() {
    local python
    for python in python3 /usr/bin/python3 none; do
        "$python" -c 'import canmatrix.formats' >/dev/null 2>&1 && break
    done
    [ "$python" != none ] || return "$skipped"
    "$python" tests/system/canmatrix_decode.py --check "$EXPECTED/peer/t.dbc" "$beside/running.log" >"$beside/messages"
    local code=$?
    sort "$beside/messages"
    [ $code -eq 0 ] && [ "$(awk '$2 == 0 { print $1 }' "$beside/messages")" = EJMC2_reference ] &&
        [ "$(wc -l <"$beside/messages")" -eq "$(grep -c '^BO_ ' "$EXPECTED/peer/t.dbc")" ]
}

# ---- they take part -----------------------------------------------------------------------------------------------------------
strangers_take_part() {
    local dump before code
    start_trial tests/vm/scenarios/beside/vcan-strangers.yaml || return 1
    before=$(sockets can0)
    within candump -L can0,0:0,#FFFFFFFF >"$beside/dump" &
    dump=$!
    joined $((before + 1)) can0
    go_on start
    within cangen can0 -g 2 -I 7F0 -L 8 -n 300
    within cansend can0 060#FFFF
    go_on end
    wait $trial
    code=$?
    stopped $dump
    awk '{ print substr($3, 1, index($3, "#") - 1) }' "$beside/dump" | sort | uniq -c | sort -rn | head -20
    nobody_died $code && [ "$(strangers_on can0)" -gt 0 ] && [ "$(strangers_on can0)" -le 301 ] && [ -z "$(strangers_on can1)" ] &&
        grep -q ' can0 061#' "$beside/dump" && grep -q ' can0 012#' "$beside/dump" && grep -q ' can0 200000' "$beside/dump"
}
# 100 bytes are 16 frames: a first one, a flow control, 14 consecutive ones.
isotp_and_gateway_take_part() {
    local receiver code handled
    start_trial tests/vm/scenarios/beside/vcan-strangers.yaml || return 1
    within cangw -A -s can0 -d can1 -e
    within timeout 300 isotprecv -s 7E8 -d 7E0 -m 05 can0 >"$beside/received" &
    receiver=$!
    joined 1 can0 sff
    go_on start
    seq -f %02g 0 99 >"$beside/text"
    within isotpsend -s 7E0 -d 7E8 can0 <"$beside/text"
    wait $receiver
    handled=$(within cangw -L | tee /dev/stderr | sed -n 's/.* \([0-9]*\) handled.*/\1/p')
    go_on end
    wait $trial
    code=$?
    cat "$beside/received"
    nobody_died $code && diff <(grep -oE '[0-9A-F]{2}' "$beside/received") "$beside/text" &&
        [ "$(strangers_on can0)" -gt 0 ] && [ "$(strangers_on can0)" -le 16 ] && [ "$(strangers_on can1)" -gt 100 ] && [ "$handled" -gt 100 ]
}
# Whatever the idiot sends at the highest priority, as fast as it can: what gets through, the bus and the daemons decide.
flood_is_survived() {
    local flood code
    start_trial tests/vm/scenarios/beside/vcan-strangers.yaml || return 1
    within cangen can0 -i -g 0 -I 000 -L 8 &
    flood=$!
    go_on start end
    wait $trial
    code=$?
    stopped $flood
    nobody_died $code && [ "$(strangers_on can0)" -gt 100 ]
}

claim "candump, canbusload, isotpdump and isotprecv listen to a trial: verdicts, margins and history hash are those without CAN" listeners_change_nothing
claim "candump -L of the running stack has each frame of that trial's record" candump_heard_the_record
[ "${VCAN_FULL:-0}" = 0 ] || claim "canmatrix reads it by the DBC: every frame known, every value in its range, every unit its quantity's" canmatrix_reads_the_running_stack
claim "cangen and cansend take part and are counted, candump hears both sides and error frames, no daemon dies" strangers_take_part
[ "${VCAN_FULL:-0}" = 0 ] || claim "isotpsend and isotprecv talk, cangw routes one bus to the other: both are counted, no daemon dies" isotp_and_gateway_take_part
[ "${VCAN_FULL:-0}" = 0 ] || claim "cangen floods at the highest priority: no daemon dies" flood_is_survived
