#!/bin/bash
# Networks of real-time Ethernet: the paper's listing by an embedded network and by the kernel's interfaces, the target ethernet, and what
# is wrong in files.
# beside others: it runs on the virtual clock; what does not only has to end
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
ukemi=$BUILD/bin/ukemi
export UKEMI_ROOT=$PWD UKEMI_PATH=$folder

# runs CODE FILE: a trial of it ends with this status; what it said is in $folder/out.
runs() {
    local code
    "$ukemi" run "$2" --seed 1 >"$folder/out" 2>&1
    code=$?
    cat "$folder/out"
    [ $code -eq "$1" ]
}
observed() { grep -qE "^  $1 +$2\$" "$folder/out"; }

# ---- the listing ------------------------------------------------------------------------------------------------------------
mkdir -p "$folder/targets/listing" "$folder/targets/wrong"
touch "$folder/ukemi.yaml"
cat >"$folder/targets/listing/target.yaml" <<END
format: 2
name: listing
world: network
processes:
  - {name: network, component: "", run: [targets/ethernet/network], priority: 60}
  - {name: sender, component: Sender, run: [tests/system/rt_listing, send, eth0, "02:55:4b:00:01:00"], priority: 40, may_exit: [0]}
  - {name: receiver, component: Receiver, run: [tests/system/rt_listing, receive, eth0, "02:55:4b:00:00:00"], priority: 50, may_exit: [0]}
channels:
  - {name: network, message: network.msg, frame_size_max_B: 128, slots: 16}
  - {name: wire, message: wire.msg, frame_size_max_B: 45100, slots: 8}
networks:
  - {name: eth0, hosts: [sender, receiver]}
END
cp targets/ethernet/{network,wire}.msg "$folder/targets/listing/"
cat >"$folder/listing.yaml" <<END
name: listing
claim: The listing ends.
target: listing
duration_s: 0.5
watch_s: 0.2
promises:
  - {name: all-crossed, always: "network.received > 199.5", after_s: 0.3}
END
claim "the paper's listing runs by an embedded network, in virtual time" runs 0 "$folder/listing.yaml"

by_veth() {
    # shellcheck disable=SC2016 # the shell inside expands it
    local inside='ip link add rt0 type veth peer name rt1 && ip link set rt0 up && ip link set rt1 up || exit 9
        "$0" receive rt1 "$(cat /sys/class/net/rt0/address)" & receiver=$!
        until grep -qE "^([^ ]+ +){4}[1-9]" /proc/net/packet; do sleep 0.01; done # its socket is bound, and keeps what comes
        "$0" send rt0 "$(cat /sys/class/net/rt1/address)"; wait $receiver'
    timeout 20 unshare -Urnm sh -c "mount -t sysfs none /sys && $inside" "$BUILD/tests/system/rt_listing"
}
if unshare -Urn ip link add rt0 type veth peer name rt1 2>/dev/null; then
    claim "... and by the kernel's interfaces" by_veth
else
    skip "... and by the kernel's interfaces" "no veth interface may be made here"
fi

# ---- the target ethernet ----------------------------------------------------------------------------------------------------
claim "13 nodes answer in every cycle, as late as frames, hub and relays take" runs 0 scenarios/ethernet/200-cycles-in-time.yaml
switched() { runs 0 scenarios/ethernet/201-cable-cut.yaml && observed broken_cable b2-b3; }
claim "a cut cable costs no more than a cycle where routes are switched, and is found" switched
seamless() { runs 0 scenarios/ethernet/218-cable-cut-seamless.yaml && observed lost_answers 0; }
claim "... and nothing where frames go both ways" seamless
cut_off() { runs 0 scenarios/ethernet/219-cable-cut-none.yaml && ! observed lost_answers 0; }
claim "... and cuts off what lies behind where there is no redundancy" cut_off
flooded() { runs 0 scenarios/ethernet/320-hub-without-table.yaml; }
claim "a hub without its table loses nothing and makes no storm" flooded
same_again() {
    "$ukemi" run scenarios/ethernet/213-frames-out-of-order.yaml --seed 5 --check-determinism >"$folder/out" 2>&1
    cat "$folder/out"
    grep -q '^  PASS  determinism' "$folder/out"
}
at_night "the same seed gives the same history" same_again

# ---- what others read of it -------------------------------------------------------------------------------------------------
exported() {
    "$ukemi" run scenarios/ethernet/218-cable-cut-seamless.yaml --seed 1 --keep "$folder/t.mcap" >/dev/null &&
        "$ukemi" export "$folder/t.mcap" --format pcapng -o "$folder/t.pcapng" &&
        tshark -r "$folder/t.pcapng" -T fields -e frame.interface_id -e frame.time_epoch -e hsr.sequence_nr -e hsr.type >"$folder/frames" 2>/dev/null &&
        diff <(tshark -r "$folder/t.pcapng" -c 3000 -T fields -e frame.interface_name 2>/dev/null | sort -u) \
            <(printf '%s\n' pc-hub hub-{l1,r1,b1} l{1-l2,2-l3,3-l4,4-hub} r{1-r2,2-r3,3-r4,4-hub} b{1-b2,2-b3,3-b4,4-b5,5-hub} | sort) &&
        awk -F'\t' '$3 != "" { tagged++ } END { print NR " frames, " tagged " tagged"; exit !(NR > 20000 && tagged == NR) }' "$folder/frames" &&
        [ "$(tshark -r "$folder/t.pcapng" -Y _ws.malformed 2>/dev/null | wc -l)" -eq 0 ]
}
claim_with tshark "reads the frames of each cable by its name, and their tags, from pcapng" exported

# fields FILE FILTER FIELD: the values that tshark finds with our script, or what it complains of.
fields() { tshark -X lua_script:doc/how-to/ethernet.lua -r "$1" -Y "$2" -T fields -e "$3" 2>&1 | grep -v 'Running as user'; }
dissected() { # the exported trial has a cut cable, so frames turn round; a GIOP message in two segments is put together
    "$ukemi" run 256 --seed 1 --keep "$folder/c.mcap" >/dev/null && "$ukemi" export "$folder/c.mcap" --format pcapng -o "$folder/c.pcapng" || return 1
    printf '0000  02 55 4b 00 01 00 02 55 4b 00 00 00 88 b6 01 %s 00 01 00 00 00 07 00 %s 00 02 %s\n\n' \
        01 00 '47 49 4f 50 01 00' 02 01 '00 05 00 00 00 00' | text2pcap -q - "$folder/g.pcap" 2>/dev/null
    fields "$folder/c.pcapng" 'ukemi.turns == 1' ukemi.to | sort -u >"$folder/turned"
    fields "$folder/c.pcapng" ukemi_probe ukemi_probe.hears | sort -u >"$folder/probes"
    cat "$folder/turned" "$folder/probes"
    [ "$(grep -cE '^[0-9]+$' "$folder/turned")" -ge 2 ] && [ "$(cat "$folder/probes")" = 1 ] &&
        [ "$(fields "$folder/g.pcap" giop giop.type)" = 5 ] && [ -z "$(fields "$folder/c.pcapng" 'ukemi.stranger or _ws.malformed or _ws.lua.error' frame.number)" ]
}
claim_with tshark "tells with our script which way frames went, probes, and GIOP in segments" dissected

# ---- what it says of itself ---------------------------------------------------------------------------------------------------
told() { # SCENARIO WORDS...: the network's own lines have them
    local words
    "$ukemi" run "$1" --seed 1 --keep "$folder/told.mcap" >"$folder/out" && "$ukemi" show "$folder/told.mcap" --process network >"$folder/told" || return 1
    cat "$folder/told"
    for words in "${@:2}"; do grep -qE "network: $words" "$folder/told" || return 1; done
}
named() { # within a cycle of the fault
    told 256 'cable b2-b3: nothing comes through' 'b3 a, cable b2-b3: frames [0-9]+, lost links 1$' 'cable b2-b3: whole again' &&
        awk -v from="$(awk '$3 == "applied" { print $1 }' "$folder/out")" '/nothing comes/ { exit !($1 >= from && $1 < from + 0.0055) }' "$folder/told"
}
claim "a cut cable is named within a cycle, and when it is whole" named
at_night "what is plugged in where something else belongs is named" told 217 'opposite r1 b: l2 a is where r2 a belongs' 'opposite r1 b: r2 a is back'
claim "ports that find broken frames count them" told 209 'b1 a, cable hub-b1: frames [0-9]+, CRC errors ([0-9]+), sequence holes \1$'
holed() { # as many as were lost, at the two ends of the cable that lost them
    told 208 'b1 a, cable hub-b1: frames [0-9]+, sequence holes [0-9]+$' && ! grep holes "$folder/told" | grep -v 'cable hub-b1: ' &&
        observed holes "$(sed -nE 's/.* acted on ([0-9]+) of .*/\1/p' "$folder/out" | head -1)"
}
claim "ports behind a cable that loses frames count holes, and no others do" holed
at_night "what comes twice is counted where it does" told 212 'pc a, cable pc-hub: frames [0-9]+, twice [0-9]+$'

# ---- what is wrong ----------------------------------------------------------------------------------------------------------
without_effect() { # of a host that sends nothing: the sender has ended; of a hub that has but two ports
    sed -e 's/^promises:.*/faults:\n  - {kind: ethernet-loss, component: eth0, at: {time_s: [0.3, 0.3]}, duration_s: 0.1, parameters: [host=sender]}\n  - {kind: hub-without-table, component: eth0, at: {time_s: [0.01, 0.01]}, duration_s: 0.1}/' \
        -e '/all-crossed/d' "$folder/listing.yaml" >"$folder/idle.yaml"
    runs 3 "$folder/idle.yaml" && grep -q '^  ERROR fault-effective' "$folder/out" &&
        grep -q 'loss eth0, NOT PROVEN: acted on 0 of 0' "$folder/out" && grep -qE 'table eth0, NOT PROVEN: acted on 0 of [1-9]' "$folder/out"
}
claim "canary: a fault that meets no frame, and a hub that needs no table, are an error" without_effect
unstruck() { # LINE...: faults that cannot strike, by tests/canaries/ethernet/unstruck, while r4 has no power; none is taken for proven
    local kind component at lasts parameters
    cat >"$folder/unstruck.yaml" <<END
name: unstruck
claim: No fault passes for proven that strikes nothing.
target: ethernet
duration_s: 1
watch_s: 0.2
faults:
  - {kind: node-dead, component: eth0, at: {when: "cycle.cycle >= 20"}, duration_s: 0.65, parameters: [host=r4]}
END
    while read -r kind component at lasts parameters; do
        echo "  - {kind: $kind, component: $component, at: {when: 'cycle.cycle >= 0', after_s: $at}, duration_s: $lasts, parameters: [$parameters]}"
    done < <(printf '%s\n' "$@") >>"$folder/unstruck.yaml"
    runs 3 "$folder/unstruck.yaml" && grep -q '^  ERROR fault-effective' "$folder/out" || return 1
    for kind; do grep -qE " ${kind%% *} [^ ]+, NOT PROVEN: " "$folder/out" || return 1; done
}
lines() { grep -E '^[a-z]' tests/canaries/ethernet/unstruck | sed -n "$1,$2p"; }
for range in "1 7" "8 14" "15 21" "22 28"; do
    # shellcheck disable=SC2086 # two numbers
    mapfile -t unstruck < <(lines $range)
    names=${unstruck[*]%% *}
    claim "canary: without effect each is an error: ${names// /, }" unstruck "${unstruck[@]}"
done
reset_of_none() {
    sed -e 's/^faults:/&\n  - {kind: kill, component: B3, at: {time_s: [0.3, 0.3]}}/' -e 's/kind: ethernet-loss.*/kind: kill, component: B3, at: {when: "cycle.cycle >= 100"}, restart_after_s: 0.1}/' \
        scenarios/ethernet/208-frames-lost.yaml >"$folder/reset.yaml"
    runs 3 "$folder/reset.yaml" && grep -q 'kill B3, NOT PROVEN: the process was not there' "$folder/out"
}
claim "canary: a reset of a node that is dead is an error" reset_of_none
endless() { # 20 ms of such a hub, by a network that does not mark the way of frames
    mkdir -p "$folder/targets/endless"
    cp targets/ethernet/*.msg "$folder/targets/endless/"
    sed -e 's|run: \[targets/ethernet/network\]|run: [tests/canaries/ethernet/endless_hub]|' -e 's/^name: ethernet/name: endless/' \
        targets/ethernet/target.yaml >"$folder/targets/endless/target.yaml"
    sed -e 's/^target: .*/target: endless/' -e 's/^duration_s: .*/duration_s: 0.5/' -e 's/^watch_s: .*/watch_s: 0.05/' -e '/copies-return/d' \
        -e 's/time_s: .*$/time_s: [0.3, 0.3]}, duration_s: 0.02}/' scenarios/ethernet/320-hub-without-table.yaml >"$folder/endless.yaml"
    runs 1 "$folder/endless.yaml" && grep -qE '^  FAIL +no-storm ' "$folder/out"
}
at_night "canary: frames whose way nobody marks are a storm at such a hub" endless
unlike() { # SCENARIO WORDS SED: eight cuts, by a network of less redundancy than the scenario promises of
    sed -e "$3" "scenarios/ethernet/$1" >"$folder/unlike.yaml"
    runs 1 "$folder/unlike.yaml" && grep -qE "^  FAIL +$2 " "$folder/out"
}
cuts() { local cut; for cut in 264 266 268; do "$ukemi" run $cut --seed 1 >"$folder/said" || return 1; done; }
claim "cuts of eight cables cost no more than their redundancy allows" cuts
at_night "canary: switched routes do not keep the promise of seamless redundancy" unlike 264-cuts-seamless.yaml nothing-lost 's/: seamless/: switch/'
at_night "canary: a ring that stays a line does not keep that of switched routes" unlike 266-cuts-switched.yaml cut-1 's/^target: .*/&\nredundancy: none/'
at_night "canary: ... nor that of cuts one way" unlike 268-cuts-one-way.yaml cut-1 's/^target: .*/&\nredundancy: none/'
refused() { # refused SED PATTERN: the target, changed so, is refused with these words
    sed -e "s/^name: .*/name: wrong/" -e "$1" "$folder/targets/listing/target.yaml" >"$folder/targets/wrong/target.yaml"
    sed "s|^target: .*|target: wrong|" "$folder/listing.yaml" >"$folder/wrong.yaml"
    runs 2 "$folder/wrong.yaml" && grep -qE "$2" "$folder/out"
}
cp "$folder/targets/listing/"*.msg "$folder/targets/wrong/"
claim "a host twice is refused with file and line" refused 's/\[sender, receiver\]/[sender, receiver], rings: [{name: r, nodes: [sender, other]}]/' \
    'target.yaml:[0-9]+: networks.0.: r: a host is called hub, or twice the same'
claim "... so is a ring of one" refused 's/\[sender, receiver\]/[sender], rings: [{name: r, nodes: [receiver]}]/' 'target.yaml:[0-9]+: networks.0..rings.0..nodes: .*give 2 to'
claim "... so is a network without hosts" refused 's/, hosts: .*/}/' 'target.yaml:[0-9]+: networks.0.: no hosts'
claim "... so is one that asks more of a cable than its bitrate" \
    refused 's/\[sender, receiver\]/[other], exchange_B: 40000, rings: [{name: r, nodes: [sender, receiver]}]/' \
    'target.yaml:[0-9]+: networks.0..exchange_B: 40000: of 2 nodes each 5000 us, these are 1.28e\+08 bit/s, more than bitrate_bit_s'
claim "... so is a host that is no process" refused 's/\[sender, receiver\]/[sender, receiver, other]/' \
    'target.yaml:[0-9]+: networks.0..hosts.2.: other: no process of the target; name one'
claim "... and an unknown redundancy" refused 's/, hosts:/, redundancy: some, hosts:/' 'redundancy: some.*(none|switch)'
unplugged() { # SED PATTERN: a fault of what the network has not is refused with these words
    sed -e "$1" scenarios/ethernet/208-*.yaml >"$folder/unplugged.yaml"
    runs 2 "$folder/unplugged.yaml" && grep -qE "unplugged.yaml:[0-9]+: faults.0..parameters: $2" "$folder/out"
}
claim "... and a fault of a cable that is not there" unplugged 's/cable=hub-b1/cable=hub-b2/' 'cable=hub-b2: .*no such cable; use one of: pc-hub .*b1-b2'
claim "... or of a host that is not" unplugged 's/cable=hub-b1/host=b9/' 'host=b9: .*no such host; use one of: pc '
claim "... or of no cable, where one must be named" unplugged 's/ethernet-loss/cable-cut/; s/, parameters: .*/}/' 'cable=none: .*no such cable'
plan
