#!/bin/bash
# Stacks that nobody here wrote, as their Debian packages install them (scripts/deps --peers): what
# their scenarios claim holds, trials are the same when they are run again in other company, and
# a stack that is set up badly on purpose fails its promise.
#
#   LONG=1   all trials again, not some; part of `make nightly`, which also runs each 50 times
#
# beside others: trials are on the virtual clock, where a history depends on nothing outside, or have seconds to spare
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
chmod 755 "$folder"

# ---- what is installed --------------------------------------------------------------------------

# wants PROGRAM...: the reason why a stack cannot be run here, if there is one.
wants() {
    local program
    for program; do
        compgen -G "$program" >/dev/null || { echo "no $program: see scripts/deps --peers" && return; }
    done
}
missing() {
    case $1 in
    chrony) wants /usr/sbin/chronyd /usr/bin/chronyc /usr/bin/perl ;;
    mosquitto) wants /usr/sbin/mosquitto /usr/bin/mosquitto_pub /usr/bin/mosquitto_sub ;;
    redis) wants /usr/bin/redis-server /usr/bin/python3 ;;
    postgres) wants '/usr/lib/postgresql/*/bin/postgres' /usr/bin/python3 ;;
    linuxcnc)
        wants /usr/bin/linuxcncsvr /usr/bin/rtapi_app /usr/bin/milltask /usr/bin/python3
        unshare -Uri sh -c 'echo 64 1024 32 32 >/proc/sys/kernel/sem' 2>/dev/null || [ "$(id -u)" -eq 0 ] ||
            echo "an ordinary user cannot limit semaphores here, so that cells have none"
        ;;
    ptp | ptp-udp) wants /usr/sbin/ptp4l /usr/sbin/pmc /usr/bin/perl ;;
    ptp-slave | ptp-master) wants /usr/sbin/ptp4l ;;
    ros) wants /usr/bin/rosmaster /usr/lib/python3/dist-packages/rospy /usr/lib/python3/dist-packages/std_msgs ;;
    *) echo "unknown stack $1" ;;
    esac
}
target_of() { sed -n 's/^target: //p' "$1"; }

# ---- what they claim; one of each stack twice ---------------------------------------------------------------------

# Two at a time on each core: so each has company when it is run, and another one the second time.
run_all() { # run_all NAME CONCURRENT OPTION... <FILES
    # shellcheck disable=SC2016 # expanded by the inner shell
    xargs -r -P "$2" -I{} bash -c \
        '"$1" run "$2" --seed 1 "${@:4}" >"$3.$(basename "$2")" 2>&1; echo $? >>"$3.$(basename "$2")"' \
        run "$ukemi" {} "$folder/$1" "${@:3}"
}
went() { cat "$1" && [ "$(tail -1 "$1")" -eq 0 ] && grep -q '^PASS$' "$1"; }
# claims NAME WORDS FILE...: how the runs of run_all went.
claims() {
    local file reason check=claim
    [ -z "$2" ] || check=claim_in_real_time
    for file in "${@:3}"; do
        reason=$(missing "$(target_of "$file")")
        [ -n "$reason" ] || reason=$(sed -n 's/^not run here: \(cable .*\)/\1/p' "$folder/$1.$(basename "$file")")
        if [ -n "$reason" ]; then
            skip "$2$(sed -n 's/^claim: //p' "$file")" "$reason"
        else
            $check "$2$(sed -n 's/^claim: //p' "$file")" went "$folder/$1.$(basename "$file")"
        fi
    done
}
installed() {
    local file
    for file; do
        [ -n "$(missing "$(target_of "$file")")" ] || echo "$file"
    done
}
# 119, 12*, 364 to 369, 440, 442 to 449 and 47* and 48* belong to `make nightly`, which runs all 50 times; 2*, 33* and 34* run in real time only.
all=(scenarios/peers-*/10*.yaml scenarios/peers-*/11[0-8]*.yaml scenarios/peers-*/363*.yaml scenarios/peers-*/441*.yaml)
twice='/(100|103|106|108|110|363)-'
[ -z "${LONG:-}" ] || twice=.
installed "${all[@]}" >"$folder/installed"
grep -E "$twice" "$folder/installed" | run_all virtual $((2 * $(nproc))) --check-determinism
grep -vE "$twice" "$folder/installed" | run_all virtual $((2 * $(nproc)))
claims virtual "" "${all[@]}"
none_lost() { cat "$folder/virtual.103-broker-killed.yaml" && grep -qE '^  PASS  two-lost-at-most +\+2\.5 ' "$folder/virtual.103-broker-killed.yaml"; }
if [ -z "$(missing mosquitto)" ]; then
    claim "in virtual time no kill comes between an acknowledgement and the broker's file, and none is lost" none_lost
else
    skip "in virtual time a killed broker loses nothing" "$(missing mosquitto)"
fi

# ---- what must fail -----------------------------------------------------------------------------

# spoiled SCENARIO SED FILE PROMISE OPTION...: with FILE of the target changed so, the promise fails.
spoiled() {
    local target
    target=$(target_of "$1")
    rm -rf "$folder/bad" && mkdir -p "$folder/bad/targets" "$folder/bad/scenarios" &&
        cp -r "targets/peers/$target" "$folder/bad/targets/bad-$target" &&
        sed -i "s/^name: .*/name: bad-$target/" "$folder/bad/targets/bad-$target/target.yaml" &&
        sed -i "$2" "$folder/bad/targets/bad-$target/$3" &&
        ! cmp -s "targets/peers/$target/$3" "$folder/bad/targets/bad-$target/$3" &&
        sed "s/^target: .*/target: bad-$target/" "$1" >"$folder/bad/s.yaml" &&
        UKEMI_PATH=$folder/bad answers 1 "FAIL +$4 " "$ukemi" run "$folder/bad/s.yaml" --seed 1 "${@:5}"
}
# canary TEXT SCENARIO SED FILE PROMISE OPTION...
canary() {
    local reason
    reason=$(missing "$(target_of scenarios/peers-*/"$2.yaml")")
    if [ -n "$reason" ]; then
        skip "$1" "$reason"
    else
        claim_in_real_time "$1" spoiled scenarios/peers-*/"$2.yaml" "${@:3}"
    fi
}
canary "chronyd with a server that it thinks is 10 ms early is not within 1 ms" 100-time-server-killed \
    's/iburst/& offset 0.01/' client.conf still-synchronized
canary "a broker that keeps nothing on the disk loses messages" 103-broker-killed \
    's/persistence true/persistence false/' broker.conf two-lost-at-most
canary "a subscriber without a session loses what comes while it is dead" 105-subscriber-killed \
    's/ -c / /' subscribe.sh all-received
canary "a PTP slave that takes packets to be 3 ms older than they are is not synchronized" 363-ptp-master-drifts \
    '$a ingressLatency 3000000' slave.conf synchronized
canary "a talker that says one number a second is not heard ten times" 110-ros-talker-killed 's/Rate(10)/Rate(1)/' talker.py hears
canary "PostgreSQL that commits before it writes loses transactions" 108-postgres-killed \
    's/-c logging_collector=off/& -c synchronous_commit=off/' server.sh nothing-lost
canary "Redis without its log loses writes" 106-redis-killed 's/appendonly yes/appendonly no/' server.conf nothing-lost
canary "a writer that waits for 1 s only gives up its connection to a server that stands still" 119-postgres-stalled \
    's/timeout=5/timeout=1/' writer.py one-connection
late() { # what is late ends no connection
    sed -e 's/socket-reset/socket-delay/' scenarios/peers-*/126-*.yaml >"$folder/late.yaml" &&
        answers 1 'FAIL +deaf ' "$ukemi" run "$folder/late.yaml" --seed 1
}
if [ -z "$(missing ros)" ]; then
    claim "a ROS listener to which messages come late is not deaf" late
else
    skip "a ROS listener to which messages come late is not deaf" "$(missing ros)"
fi
stepped() { # a clock that steps is no such drift
    sed -e 's/clock-drift/clock-step/; s/rate_ppm=100/step_s=2/' scenarios/peers-*/116-*.yaml >"$folder/stepped.yaml" &&
        answers 1 'FAIL +not-misled ' "$ukemi" run "$folder/stepped.yaml" --seed 1
}
if [ -z "$(missing chrony)" ]; then
    claim "a client follows its only server's clock when it steps by 2 s, so that it is misled" stepped
else
    skip "a client follows its only server's clock when it steps by 2 s" "$(missing chrony)"
fi

# ---- in real time -------------------------------------------------------------------------------

wall=(scenarios/peers-*/104-*.yaml scenarios/peers-*/3[34]*.yaml)
[ -z "${LONG:-}" ] || wall+=(scenarios/peers-*/103-*.yaml scenarios/peers-*/10[68]-*-killed.yaml scenarios/peers-*/110-*.yaml scenarios/peers-*/113-*.yaml)
installed "${wall[@]}" | run_all wall 6 --wall
claims wall "in real time: " "${wall[@]}"

clocks=(scenarios/peers-*/2*.yaml)
sed 's/drift_ppm: .*/drift_ppm: [40, 40] }/; s/^name: .*/name: faster/' scenarios/peers-*/270-*.yaml >"$folder/faster.yaml"
installed "${clocks[@]}" "$folder/faster.yaml" tests/canaries/ethernet/undisciplined-port.yaml | run_all clocks 5 --wall
claims clocks "in real time: " "${clocks[@]}"
failed() { cat "$folder/clocks.$1" && [ "$(tail -1 "$folder/clocks.$1")" -eq 1 ] && grep -qE "^  FAIL +$2 " "$folder/clocks.$1"; }
if [ -z "$(missing ptp-slave)" ] && ! grep -q '^not run here: cable' "$folder/clocks.faster.yaml"; then
    claim_in_real_time "canary: a master that drifts by 10 ppm more is found out by ptp4l" failed faster.yaml measured
    claim_in_real_time "canary: a clock that never follows ptp4l is failed" failed undisciplined-port.yaml rate-learned
fi
grep -q '^not run here: cable' "$folder/wall.332-ptp-slave-restarted.yaml" 2>&1 ||
    canary "a slave that takes frames to be 3 ms older than they are is not within 1 ms" 332-ptp-slave-restarted \
        's/ingressLatency 0/ingressLatency 3000000/' slave.conf synchronized --wall
canary "an axis whose controller lives on does not stand still" 340-cnc-motion-killed \
    's/component: Motion/component: Drive/; s/component: Mover/component: Motion/' target.yaml stops --wall
virtual_refused() { answers any 'SKIP +lab +cable from ptp0 to ptp1: .*real time' "$ukemi" run 330 --seed 1; }
bad_cable() { # bad_cable ENDS WORDS: refused with the line
    mkdir -p "$folder/cable/targets/ptp" && cp targets/peers/ptp/* "$folder/cable/targets/ptp" && cp scenarios/peers-*/330-*.yaml "$folder/cable/s.yaml" &&
        sed -i "s/^cables: .*/cables: $1/" "$folder/cable/targets/ptp/target.yaml" &&
        UKEMI_PATH=$folder/cable answers 2 "target.yaml:[0-9]+: cables.0.*: .*$2" "$ukemi" check "$folder/cable/s.yaml"
}
claim "a cable with a name too long for an interface is refused" bad_cable '[{ ends: [ptp0, ptp1234567890123] }]' 'longer than 15 characters; shorten it'
claim "... and one with a name that is taken" bad_cable '[{ ends: [ptp0, lo] }]' 'another interface is called so; rename one'
claim "... and one with one end" bad_cable '[{ ends: [ptp0] }]' '2'
claim "a cable of the kernel's is no part of virtual time" virtual_refused
plan
