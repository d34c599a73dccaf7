#!/bin/bash
# src/giop opposite omniORB, which nobody here wrote: its client calls our server, ours its server, on loopback, and its client a node
# of hrp3p in a cell; tshark reads the messages.
# beside others: ports are the kernel's choice, and deadlines far away
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
ours=$BUILD/tests/system/giop_peer
idl=tests/unit/giop/example.idl

refused() { # IDL PATTERN
    echo "$1" >"$folder/bad.idl"
    answers "1 2" "$2" env PYTHONDONTWRITEBYTECODE=1 omniidl -psrc/giop -bukemi_c -C"$folder" "$folder/bad.idl"
}
claim "the back end refuses a sequence without a bound, with file, line and remedy" \
    refused 'typedef sequence<long> Longs;' 'bad.idl:1: .*sequence<TYPE, 16>'
claim "... and what needs the heap" refused 'interface I { void f(in any x); };' 'bad.idl:1: this type is not for programs that allocate nothing'

# Our server and our client, too: what follows fails then by omniORB alone.
# serves LOG COMMAND...: starts a server; its reference is then in $reference, its process in $server.
serves() {
    : >"$folder/reference"
    "${@:2}" >"$folder/reference" 2>"$1" &
    server=$!
    await 60 test -s "$folder/reference"
    reference=$(cat "$folder/reference")
}
# pair SERVER... -- CLIENT...: the client is content, and the server has ended by itself.
pair() {
    local server_command=()
    while [ "$1" != -- ]; do
        server_command+=("$1")
        shift
    done
    shift
    serves "$folder/server" "${server_command[@]}" || return 1
    local client=("${@/REFERENCE/$reference}") code
    timeout 60 "${client[@]}"
    code=$?
    [ $code -eq 0 ] || kill "$server"
    wait "$server" && cat "$folder/server" && [ $code -eq 0 ]
}
claim "our client finds all right with our server" pair "$ours" serve "$folder/m0" -- "$ours" call "$folder/m1" REFERENCE

build_peer() { # IDL SOURCE PROGRAM
    omniidl -bcxx -C"$folder" "$1" &&
        g++ -O0 -w -I"$folder" -o "$folder/$3" "$2" "$folder/$(basename "$1" .idl)SK.cc" -lomniDynamic4 -lomniORB4 -lomnithread
}
peer=("$folder/peer")
# One thread a connection: with more of them a request may overtake the one-way request before it.
loopback=(-ORBendPoint giop:tcp:127.0.0.1: -ORBmaxServerThreadPerConnection 1)
if [ -e /usr/include/omniORB4/CORBA.h ] && command -v g++ >/dev/null; then
    claim "omniORB's peer is built" build_peer "$idl" tests/system/omniorb_peer.cc peer
    claim "omniORB's client finds all right with our server" pair "$ours" serve "$folder/m2" -- "${peer[@]}" call REFERENCE
    for version in 0 1; do
        claim "... so it does by GIOP 1.$version" pair "$ours" serve "$folder/m5$version" -- "${peer[@]}" -ORBmaxGIOPVersion "1.$version" call REFERENCE
    done
    for version in 0 1 2; do
        claim "our client finds all right with omniORB's server, GIOP 1.$version" \
            pair "${peer[@]}" serve "${loopback[@]}" -- "$ours" call "$folder/m3$version" REFERENCE $version
    done
    claim "... and with requests in the other byte order" pair "${peer[@]}" serve "${loopback[@]}" -- "$ours" call "$folder/m4" REFERENCE 2 big
else
    skip "omniORB's client and server find all right with ours" "not installed: see scripts/deps --peers"
fi

# The target's own folder, with a client of which the lab knows nothing.
gateway() {
    local target=$folder/targets/maintained
    mkdir -p "$target" && chmod 755 "$folder" "$folder/targets" "$target" && cp targets/hrp3p/*.msg targets/hrp3p/*.xml "$folder/joint" "$target" &&
        sed -e 's/^name: hrp3p-corba/name: maintained/' -e '/name: gateway,/a\  - { name: client, component: "", run: [joint, "corbaloc::1.2@127.0.0.1:2809/n7", "corbaloc::1.2@127.0.0.1:2809/n8"], priority: 10, clock: none, may_exit: [0] }' \
            targets/hrp3p-corba/target.yaml >"$target/target.yaml" || return 1
    printf '%s\n' 'name: maintenance' 'claim: A client of another broker maintains a node.' 'target: maintained' 'duration_s: 4' 'watch_s: 2' \
        'must_complete: false' 'faults: [{kind: kill, component: N8, at: {time_s: [0.8, 1]}, parameters: [signal=KILL]}]' 'operator: {program: targets/hrp3p/operator, arguments: stand}' >"$folder/maintenance.yaml"
    UKEMI_PATH=$folder "$ukemi" run "$folder/maintenance.yaml" --wall --ethernet embedded --keep "$folder/kept.mcap" | tee "$folder/said"
    "$ukemi" show "$folder/kept.mcap" --all >"$folder/lines"
    grep ' client ' "$folder/lines"
    grep -q ' client  *all right' "$folder/lines" && grep -Eq '^ *PASS +peers-survive' "$folder/said"
}
if [ -e "$folder/peer" ]; then
    claim "omniORB's client of joint.idl is built" build_peer targets/hrp3p/joint.idl tests/system/omniorb_joint.cc joint
    claim "... and maintains a node of a robot in a cell through the gateway; who dies is a TIMEOUT" gateway
else
    skip "omniORB's client maintains a node through the gateway" "not installed: see scripts/deps --peers"
fi

# reads MESSAGES...: tshark finds requests and replies, and nothing malformed.
reads() {
    local file
    for file in "$@"; do
        text2pcap -q -D -T 2809,40000 "$file" "$folder/pcap" 2>/dev/null || return 1
        tshark -r "$folder/pcap" -T fields -e giop.type >"$folder/types" 2>/dev/null || return 1
        tshark -r "$folder/pcap" -Y '_ws.malformed' 2>/dev/null | grep . && return 1
        [ "$(grep -c 0 "$folder/types")" -ge 8 ] && [ "$(grep -c 1 "$folder/types")" -ge 8 ] || {
            sort "$folder/types" | uniq -c
            return 1
        }
    done
}
# But for those of GIOP 1.1: tshark (4.0) takes the last fragment of a message for a message.
rm -f "$folder/m31" "$folder/m51"
claim_with tshark "finds nothing malformed in these messages" reads "$folder"/m[0-9]*
on_the_wire() { # with our script tshark puts segments together and reads each request and reply
    sed 's/^duration_s: .*/duration_s: 0.3/; s/^watch_s: .*/watch_s: 0.2/' scenarios/hrp3p/274-*.yaml >"$folder/wire.yaml"
    "$ukemi" run "$folder/wire.yaml" --seed 1 --keep "$folder/wire.mcap" >"$folder/out" 2>&1 &&
        "$ukemi" export "$folder/wire.mcap" --format pcapng -o "$folder/wire.pcapng" || return 1
    tshark -X lua_script:doc/how-to/ethernet.lua -r "$folder/wire.pcapng" -c 6000 -T fields -e ukemi_giop.message -e giop.type -e giop.request_op \
        -e _ws.malformed -e _ws.lua.error -e ukemi_giop.torn 2>/dev/null >"$folder/read"
    awk -F'\t' '$1 != "" { segments++ } $2 == 0 { requests++ } $2 == 1 { replies++ } $3 == "read_state" { states++ } $4 $5 $6 != "" { wrong++ }
        END { print segments, requests, states, replies, wrong; exit !(requests + replies == segments && states > 500 && replies > 500 && wrong == 0) }' "$folder/read"
}
claim_with tshark "reads each request and reply on the cables of a robot whose nodes are called by CORBA" on_the_wire
plan
