# The simulated robot for controllers that the lab does not start (ukemi plant); part of tests/vm/inside.sh. What speaks to it is
# cansend, canplayer and candump.

plant_up() { # plant_up OPTION...: on plant0 and plant1, which are made anew; $plant is its process
    for bus in plant0 plant1; do
        ip link del $bus 2>/dev/null
        ip link add dev $bus type vcan && ip link set $bus up || return 1
    done
    UKEMI_ROOT=$PWD "$BUILD/bin/ukemi" plant hubo2 --can plant0,plant1 "$@" >"$work/plant" &
    plant=$!
    for _ in $(seq 600); do
        grep -q 'boards and physics' "$work/plant" && return 0
        sleep 0.1
    done
    return 1
}
plant_down() { # it ends by SIGTERM, with status 0
    kill -TERM $plant && wait $plant && cat "$work/plant"
}
# ask COUNT FRAME...: sends the frames to plant0 and leaves the first COUNT frames of the boards in $work/answers, without their times.
ask() {
    local count=$1
    shift
    timeout 120 candump -L -r 2000000 -n "$count" plant0,060:740,040:7E0 >"$work/raw" &
    local hears=$!
    for _ in $(seq 600); do
        grep -q '^ *plant0 ' /proc/net/can/rcvlist_fil && break
        sleep 0.1
    done
    printf '(0.000000) plant0 %s\n' "$@" | canplayer -t || return 1
    wait $hears && awk '{ print $3 }' "$work/raw" | tee "$work/answers"
}
status_of_knee() { timeout 120 candump -L -n 1 plant0,156:7FF >"$work/status" & local hears=$!; sleep 2; cansend plant0 001#0602; wait $hears && awk '{ print $3 }' "$work/status"; }

plant_answers() { # one reply each: encoders of a board with two channels and of one with one, force
    plant_up && ask 3 001#000300 001#060300 002#0112 || return 1
    grep -qE '^060#[0-9A-F]{16}$' "$work/answers" && grep -qE '^066#[0-9A-F]{8}00000000$' "$work/answers" &&
        grep -qE '^041#[0-9A-F]{12}$' "$work/answers" && plant_down
}
plant_takes_bursts() { # 64 requests without a pause: 64 replies, none refused
    local requests=()
    for _ in $(seq 8); do for board in 0 1 2 3 4 5 6 7; do requests+=("001#0${board}0300"); done; done
    plant_up && ask 64 "${requests[@]}" || return 1
    [ "$(wc -l <"$work/answers")" -eq 64 ] && plant_down && ! grep -q REFUSED "$work/plant"
}
plant_homes() { # unhomed: counts from where it was, to some 0.04 rad; after the search, homed; with its driver off, free
    plant_up --unhomed --brief-encoders && ask 1 001#060300 && grep -qE '^066#..(0.0000|F.FFFF)$' "$work/answers" || return 1
    [ "$(status_of_knee)" = 156#03000000 ] && cansend plant0 001#0611120000000000 || return 1
    for _ in $(seq 60); do
        [[ $(status_of_knee) == 156#63* ]] && break
    done
    [[ $(status_of_knee) == 156#63* ]] && cansend plant0 001#060B00 && [[ $(status_of_knee) == 156#62* ]] && plant_down
}
claim "ukemi plant: boards and sensors answer cansend on interfaces of the kernel" plant_answers
claim "ukemi plant: 64 requests at once have 64 replies" plant_takes_bursts
[ "${VCAN_FULL:-0}" = 0 ] || claim "ukemi plant: an unhomed joint is homed, and freed, as the host asks" plant_homes
