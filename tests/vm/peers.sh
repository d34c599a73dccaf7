# What SocketCAN's own tools make of an exported trial that is replayed onto vcan. Read by tests/vm/inside.sh, whose helpers and claims it
# uses; tests/system/vcan.sh has run and exported the trials: EXPECTED/peer/t.log, vcan-listeners.log, t.dbc. What needs no kernel with CAN
# is in tests/system/peers.sh; what takes part in a running trial, in tests/vm/beside.sh.
# shellcheck shell=bash disable=SC2154

peer=$work/peer
decoder=$BUILD/tests/system/frame_decoder
trial_log=$peer/can0.log # the trial's frames on can0, without error frames, which nobody can send

# A piece of the log is also stretched in time, so that nobody's receive queue runs over.
bits_counted() {
    mkdir "$peer" && ip link add dev vcan1 type vcan && ip link set vcan1 up || return 1
    awk '$2 == "can0" && $3 !~ /^2.......#/' "$EXPECTED/peer/t.log" >"$trial_log"
    awk 'NR <= 800 { gsub(/[()]/, "", $1); printf "(%010.6f) %s %s\n", 20 * $1, $2, $3 }' "$trial_log" >"$peer/slow.log"
    "$decoder" bits targets/hubo2/hubo2.xml <"$peer/slow.log" | tee "$peer/bits"
    [ "$(cut -d' ' -f1,2 "$peer/bits")" = "can0 800" ]
}
replayed() { # what canplayer sends onto vcan1, candump logs again, frame by frame
    listen "$peer/heard.log" "$(wc -l <"$trial_log")" vcan1 || return 1
    canplayer -I "$trial_log" vcan1=can0 && wait $listener || return 1
    wc -l "$peer/heard.log" "$trial_log"
    diff <(cut -d' ' -f3 "$peer/heard.log") <(cut -d' ' -f3 "$trial_log") | head -5
    cmp <(cut -d' ' -f3 "$peer/heard.log") <(cut -d' ' -f3 "$trial_log")
}
dbc_reads_candump() { # what candump logged first, read by the DBC: each value as our decoder reads it, and in its range
    head -1500 "$peer/heard.log" >"$peer/first.log"
    "$decoder" decode targets/hubo2/hubo2.xml <"$peer/first.log" | sort -k1,1n -k2,2 >"$peer/own"
    awk -f tests/system/dbc_decode.awk "$EXPECTED/peer/t.dbc" "$peer/first.log" 2>"$peer/complaints" | sort -k1,1n -k2,2 >"$peer/theirs"
    head "$peer/complaints"
    [ -s "$peer/own" ] && [ ! -s "$peer/complaints" ] && [ "$(wc -l <"$peer/own")" -eq "$(wc -l <"$peer/theirs")" ] &&
        paste -d' ' "$peer/own" "$peer/theirs" |
        awk '{ off = $3 - $6; if (off < 0) off = -off; size = $3 < 0 ? -$3 : $3 }
             $1 != $4 || $2 != $5 || off > 1e-12 * (1 + size) { print; bad = 1 } END { print NR " values"; exit bad }'
}
# canbusload counts frame by frame with the stuff bits of each one's contents, and a frame's 3 bits of intermission: to the bit what our
# own account says. Frames that its receive queue lost are nobody's error: then it is asked again.
busload_equals_account() {
    local monitor
    for _ in 1 2 3 4 5; do
        canbusload -e vcan1@1000000 >"$peer/load" &
        monitor=$!
        for _ in $(seq 600); do
            grep -q '^ *vcan1 ' /proc/net/can/rcvlist_all && break
            sleep 0.1
        done
        canplayer -I "$peer/slow.log" vcan1=can0
        sleep 3 # it tells once a second
        kill $monitor
        wait $monitor
        awk '/vcan1@/ { frames += $2; bits += $3 } END { print "vcan1", frames, bits }' "$peer/load" | tee "$peer/sum"
        [ "$(cut -d' ' -f2 "$peer/sum")" = "$(cut -d' ' -f2 "$peer/bits")" ] && break
    done
    cat "$peer/bits" && [ "$(cut -d' ' -f2,3 "$peer/sum")" = "$(cut -d' ' -f2,3 "$peer/bits")" ]
}

# ---- into the Hardware daemon ---------------------------------------------------------------------------------------------------
# replay_once OWN PASS PLAYER...: the daemon alone in network namespace $space while PLAYER replays; what it published is left in OWN/states.PASS.
replay_once() {
    local own=$1 states=$1/states.$2 daemon
    shift 2
    rm -rf "$own/channels"
    LONE_CHANNELS=$own LONE_SLOWNESS=${slowness:-1} UKEMI_TARGET=targets/hubo2 ip netns exec "$space" "$BUILD/tests/vm/lone_hardware" >"$states" &
    daemon=$!
    for _ in $(seq 600); do
        [ "$(grep -c ^state "$states")" -gt 5 ] && break
        sleep 0.1
    done
    "$@"
    sleep 0.5
    kill -0 $daemon && kill $daemon || return 1 # it has outlived that
    wait $daemon
    grep ^state "$states" | tail -1 | tee "$own/last"
}
# hardware_hears_boards KIND: the daemon alone, its can0 and can1 of that kind: vcan, where candump and canplayer are on the same interfaces, or vxcan,
# where they are at the far ends. They answer its requests with the replies of a recorded trial, so slowly on an emulated machine that
# the daemon's clocks are slowed down as well.
hardware_hears_boards() {
    local kind=$1 space=lone-$1 own=$peer/$1 slowness=20
    mkdir "$own" && ip netns add "$space" || return 1
    for bus in 0 1; do
        if [ "$kind" = vxcan ]; then
            ip link add "far$bus" type vxcan peer name "can$bus" netns "$space" && ip link set "far$bus" up || return 1
        else
            ip -n "$space" link add "can$bus" type vcan || return 1
        fi
        ip -n "$space" link set "can$bus" up || return 1
    done
    awk '{ gsub(/[()]/, "", $1) } $1 >= 0.3 && $1 < 1.1 { printf "(%010.6f) %s %s\n", $1, $2, $3 }' \
        "$EXPECTED/peer/vcan-listeners.log" >"$own/replay.log"
    awk '$3 ~ /^0[678]/' "$own/replay.log" >"$own/encoders.log"
    awk -f tests/system/dbc_decode.awk "$EXPECTED/peer/t.dbc" "$own/encoders.log" >"$own/recorded"
    replay_once "$own" 0 boards_answer "$kind" || return 1
    awk -v least=5 -f tests/vm/readings.awk "$own/recorded" "$own/states.0"
}
boards_answer() {
    local far=far there=()
    [ "$1" = vxcan ] || far=can there=(ip netns exec "$space")
    "${there[@]}" candump -L "${far}0" "${far}1" | tests/vm/boards "$own/replay.log" 1000 | "${there[@]}" canplayer -t -g 1 "${far}0=can0" "${far}1=can1"
}
# The kernel keeps away what is no reply: the requests and references of the recorded trial, which is replayed whole.
hardware_hears_no_request() {
    local space=lone-vxcan own=$peer/vxcan requests
    replay_once "$own" 1 canplayer -I "$own/replay.log" far0=can0 far1=can1 || return 1
    requests=$(awk '{ split($3, part, "#") } part[1] < "040"' "$peer/vxcan/replay.log" | wc -l)
    awk -v requests="$requests" '{ print $3 + $4 " frames of other identifiers, replayed were " requests
                                   exit !(requests > 100 && $3 + $4 == 0) }' "$peer/vxcan/last"
}
# A babbler as fast as it can, until it has sent enough, and 50 answers too short to be true, so that each counts: as late, or, where one is
# awaited, for its length.
babble_beside_answers() {
    local babbler
    ip netns exec "$space" cangen can0 -i -g 0 -I 7FF -L 8 &
    babbler=$!
    ip netns exec "$space" cangen can0 -i -g 5 -I 064 -L 5 -n 50
    for _ in $(seq 600); do
        frames=$(ip netns exec "$space" cat /sys/class/net/can0/statistics/tx_packets)
        [ "$frames" -le 2500 ] || break
        sleep 0.1
    done
    kill $babbler
    wait $babbler
}
hardware_hears_no_babbler() {
    local space=lone-babbled own=$peer/babbled frames
    mkdir "$own" && ip netns add "$space" || return 1
    for bus in 0 1; do
        ip -n "$space" link add "can$bus" type vcan && ip -n "$space" link set "can$bus" up || return 1
    done
    replay_once "$own" 0 babble_beside_answers || return 1
    awk -v frames="$frames" '{ print $3 " of the babbler in " frames " frames, " $5 + $6 " answers, " $7 " lost"
                               exit !(frames > 2000 && $3 == 0 && $5 + $6 == 50 && $7 == 0) }' "$own/last"
}
a_wrong_scale_is_noticed() { # the comparison can fail
    sed 's/^\( SG_ RKN_position : [^ ]* (\)[^,]*/\10.00001/' "$EXPECTED/peer/t.dbc" >"$peer/wrong.dbc"
    awk -f tests/system/dbc_decode.awk "$peer/wrong.dbc" "$peer/vxcan/encoders.log" >"$peer/wrong" 2>&1
    ! awk -v least=5 -f tests/vm/readings.awk "$peer/wrong" "$peer/vxcan"/states.* >"$peer/found" && head -3 "$peer/found" && grep -q RKN "$peer/found"
}

claim "the bits of an exported trial are counted" bits_counted
claim "canplayer replays the export, and candump logs the same frames in the same order" replayed
claim "the DBC reads candump's log as our own decoder does, every value in its range" dbc_reads_candump
[ "${VCAN_FULL:-0}" = 0 ] || claim "canbusload -e counts the frames and bits of the replay that our account does" busload_equals_account
claim "no frame of a babbler reaches the Hardware daemon alone, and every answer does" hardware_hears_no_babbler
if [ "${VCAN_FULL:-0}" != 0 ]; then # what answers has to be in time
    claim "candump and canplayer answer the Hardware daemon over vxcan pairs as the boards of a trial did: its positions are those that the DBC reads, in order" hardware_hears_boards vxcan
    claim "none of the replayed requests and references reaches it" hardware_hears_no_request
    claim "a wrong scale in the DBC would have been noticed" a_wrong_scale_is_noticed
    claim "so they do on vcan, on its own interfaces" hardware_hears_boards vcan
fi
