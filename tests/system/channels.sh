#!/bin/bash
# The benchmark of channels and their likes measures what it says: every mechanism delivers every frame to every reader, whole. Times are
# printed but not judged: other programs run beside this.
# beside others: no claim is about times
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
bench=$BUILD/tests/bench/channels_bench

rounds=2
"$bench" --quick --tsv --frames=10 --rounds=$rounds >"$folder/out" 2>"$folder/err"
code=$?
cat "$folder/err" >&2
if grep -q 'may not make namespaces' "$folder/err"; then
    echo "1..0 # SKIP no namespaces here"
    exit 0
fi
[ "$code" -eq 0 ]
result $? "no frame was lost, and all came whole" "$folder/err"

# measured SETTINGS METRIC: in each of so many settings it was, in each round.
measured() {
    [ "$(awk -F '\t' -v metric="$2" 'NF == 6 && $2 == metric && $3 == "us" && $5 > 0' "$folder/out" | wc -l)" -eq $(($1 * rounds)) ]
}

# Each mechanism: 2 sizes, 1 and 4 readers, on as many kinds of cores as there are.
kinds=$(($(nproc) > 1 ? 2 : 1))
for mechanism in futex futex-timed ukemi pipe mqueue seqpacket iceoryx ZeroMQ LCM "Cyclone DDS"; do
    if grep -q "$mechanism is missing" "$folder/err"; then
        n=$((n + 1))
        echo "ok $n - $mechanism delivers # SKIP its package is not installed: scripts/deps --bench"
        continue
    fi
    measured $((4 * kinds)) "$mechanism median"
    result $? "$mechanism delivers with 1 reader and with 4" "$folder/err"
done
# What a compiler takes for without effect it may leave out, and nothing else would tell.
if [ "$(uname -m)" = x86_64 ]; then
    objdump -d "$BUILD/lib/channel.a" >"$folder/code"
    for part in put:prefetchw:1 get:prefetcht0:3; do # two of a get are of its look for the next page
        IFS=: read -r work instruction least <<<"$part"
        times=$(awk -v object="$work.o:" '/^[a-z]*\.o:/ { on = $1 == object } on' "$folder/code" | grep -c "$instruction")
        echo "$times times $instruction in $work.o" >"$folder/err"
        [ "$times" -ge "$least" ]
        result $? "a $work asks at once for the memory it will touch" "$folder/err"
    done
fi
measured 8 put && measured 8 get # 2 modes, 4 sizes
result $? "put and get alone are measured, by mode and size" "$folder/err"

for wrong in --sizes=8 --readers=9 --cores=3 --policy=idle --only=carrier-pigeon --rounds=0 --frames=x; do
    "$bench" "$wrong" >/dev/null 2>"$folder/err"
    [ $? -eq 2 ] && grep -q -- "${wrong%%=*}=" "$folder/err"
    result $? "$wrong is refused, by name" "$folder/err"
done

# A stand-in for the compiler, which notes what it is asked to make; $peer names the one library that it finds.
cat >"$folder/cc" <<'CC'
#!/bin/sh
case $* in
-print-file-name=lib*.so) [ "$*" != "-print-file-name=lib$peer.so" ] && echo "${*#*=}" || echo "/found/lib$peer.so" ;;
*) echo "$*" >>"$log" && until [ "$1" = -o ]; do shift; done && : >"$2" ;;
esac
CC
chmod +x "$folder/cc"
makes() { # PEER: what is compiled or linked of the benchmark then, in $folder/log
    : >"$folder/log"
    env -u MAKEFLAGS -u MAKELEVEL peer="$1" log="$folder/log" make -s BUILD="$folder/b" CC="$folder/cc" "$folder/b/tests/bench/channels_bench" >/dev/null
}
mkdir -p "$folder/b" && touch "$folder/b/deps-installed"
claim "the benchmark is built without its peers" makes none
claim "and linked without them" not grep -q -- '-lzmq' "$folder/log"
claim "when a peer has been installed it is built again" makes zmq
claim "with the peer's header" grep -q 'mechanism_zeromq\.c$' "$folder/log"
claim "and its library" grep -q -- 'channels_bench .*-lzmq' "$folder/log"
claim "then there is nothing to be done" makes zmq
claim "as nothing has changed" test ! -s "$folder/log"
plan
