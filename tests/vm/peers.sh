# What SocketCAN's own tools make of an exported trial that is replayed onto vcan. Read by tests/vm/inside.sh, whose helpers and claims it
# uses; tests/system/vcan.sh has run and exported the trial: EXPECTED/peer/t.log, t.dbc. What needs no kernel with CAN is in
# tests/system/peers.sh.
# shellcheck shell=bash disable=SC2154

peer=$work/peer
decoder=$BUILD/tests/system/frame_decoder
trial_log=$peer/can0.log # the trial's frames on can0, without error frames, which nobody can send

# A piece of the log is also stretched in time, so that nobody's receive queue runs over.
bits_counted() {
    mkdir "$peer" && ip link add dev vcan1 type vcan && ip link set vcan1 up || return 1
    awk '$2 == "can0" && $3 !~ /^2.......#/' "$EXPECTED/peer/t.log" >"$trial_log"
    awk 'NR <= 1500 { gsub(/[()]/, "", $1); printf "(%010.6f) %s %s\n", 20 * $1, $2, $3 }' "$trial_log" >"$peer/slow.log"
    "$decoder" bits targets/hubo2/hubo2.xml <"$peer/slow.log" | tee "$peer/bits"
    [ "$(cut -d' ' -f1,2 "$peer/bits")" = "can0 1500" ]
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
        for _ in $(seq 100); do
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

claim "the bits of an exported trial are counted" bits_counted
claim "canplayer replays the export, and candump logs the same frames in the same order" replayed
claim "the DBC reads candump's log as our own decoder does, every value in its range" dbc_reads_candump
claim "canbusload -e counts the frames and bits of the replay that our account does" busload_equals_account
