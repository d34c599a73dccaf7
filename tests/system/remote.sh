#!/bin/bash
# hubo2-remote: planner and perception on another computer, behind two bridges. Canaries: bridges broken on purpose.
# beside others: all trials are on the virtual clock, where a history depends on nothing outside
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
ukemi=$BUILD/bin/ukemi

runs() { "$ukemi" run "scenarios/remote/$1-"*.yaml --seed 1; }
canary() { "$ukemi" run "tests/canaries/ethernet/$1-bridge.yaml" --seed 1; }

claim "cut off in mid-plan, the robot finishes its last plan and stands; connected again, it walks on" runs 261
claim "bridges that are killed and started again put nothing into a channel twice" runs 263

# The same target, its bridges on UDP.
udp() {
    local target=$folder/targets/datagrams
    mkdir -p "$target" && chmod 755 "$folder" "$folder/targets" "$target" && cp targets/hubo2-remote/*.msg targets/hubo2-remote/*.xml "$target" &&
        sed -e 's/^name: .*/name: datagrams/' -e 's/"eth0:far-bridge"/"udp:7001:127.0.0.1:7002"/' -e 's/"eth0:near-bridge"/"udp:7002:127.0.0.1:7001"/' \
            targets/hubo2-remote/target.yaml >"$target/target.yaml" &&
        sed -e 's/^target: .*/target: datagrams/' -e 's/^duration_s: .*/duration_s: 8/' -e 's/^watch_s: .*/watch_s: 1/' -e 's/must_complete: true/must_complete: false/' -e '/^asked: /d' -e 's/for_s: 29/for_s: 7/' \
            -e '$a\  - { name: walks, eventually: "speed_m_s > 0.1" }' -e '$a\  - { name: far, eventually: "far-bridge.delivered > 800" }' \
            scenarios/remote/260-*.yaml >"$folder/260.yaml" || return 1
    UKEMI_PATH=$folder "$ukemi" run "$folder/260.yaml" --check-determinism
}
claim "over UDP it walks, too, and the same seed gives the same history" udp

claim "canary: a bridge that puts frames into a channel twice is failed" answers 1 '^ *FAIL +once' canary forgetful
claim "canary: a bridge that takes what is harmed is failed" answers 1 '^ *FAIL +refused' canary trusting
claim "canary: a bridge that says that it missed nothing is failed" answers 1 '^ *FAIL +missed' canary boasting
claim "canary: a bridge that does not reconnect is failed" answers 1 '^ *FAIL +reconnects' canary sulking

# wrong WORDS...: a bridge's command line.
wrong() { answers 2 "$1" "$BUILD/targets/bridge/channel_bridge" "${@:2}"; }
claim "a wrong medium is refused, with the remedy" wrong 'give NETWORK:HOST' nowhere
claim "... and a wrong address" wrong 'give an address like' udp:1:2:3
plan
