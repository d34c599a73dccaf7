#!/bin/bash
# What programs that nobody here wrote make of an exported trial: tshark and capinfos (Wireshark), can-utils, canmatrix. Those that are not
# installed are skipped (scripts/deps --peers). None of them needs a kernel with CAN; for those that do see tests/vm/peers.sh.
set -u
cd "$(dirname "$0")/../.." || exit 3
BUILD=${BUILD:-build}
[[ $BUILD = /* ]] || BUILD=$PWD/$BUILD
ukemi=$BUILD/bin/ukemi
export UKEMI_ROOT=$PWD LC_ALL=C TZ=UTC
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n=0

claim() { # claim PROGRAM TEXT COMMAND...: the command succeeds
    n=$((n + 1))
    if [ "$1" = canmatrix ] && [ -z "$python" ] || [ "$1" != canmatrix ] && ! command -v "$1" >/dev/null; then
        echo "ok $n - $1 # SKIP not installed: scripts/deps --peers"
    elif "${@:3}" >"$work/out" 2>&1 </dev/null; then
        echo "ok $n - $1 $2"
    else
        echo "not ok $n - $1 $2"
        tail -20 "$work/out" | sed 's/^/# /'
    fi
}

# ---- a trial in which some frames end in error frames, exported ---------------------------------------------------------------
. tests/system/noisy_trial
noisy_trial "$work" && "$ukemi" export "$work/t.mcap" --format pcapng -o "$work/t.pcapng" >"$work/out" 2>&1 &&
    "$ukemi" export "$work/t.mcap" --epoch 1700000000 -o "$work/t.log" >"$work/out" 2>&1 &&
    "$ukemi" export hubo2 --format dbc -o "$work/t.dbc" || {
    echo "not ok 1 - a trial runs and is exported"
    tail -5 "$work/trial" "$work/out" | sed 's/^/# /'
    exit 1
}
python=
for candidate in python3 /usr/bin/python3; do
    [ -n "$python" ] || ! "$candidate" -c 'import canmatrix.formats' >/dev/null 2>&1 || python=$candidate
done
awk '$3 !~ /^2.......#/' "$work/t.log" >"$work/frames.log" # without error frames
awk '$3 ~ /^2.......#/' "$work/t.log" >"$work/errors.log"

# canonical LOG: "INTERFACE SECONDS.MICROS IDENTIFIER LENGTH DATA", a line per frame
canonical() { awk '{ split($3, p, "#"); gsub(/[()]/, "", $1); print $2, $1, p[1], length(p[2]) / 2, p[2] }' "$1"; }

# ---- Wireshark ----------------------------------------------------------------------------------------------------------------
shark() { HOME=$work XDG_CONFIG_HOME=$work tshark -n -r "$work/t.pcapng" "$@" 2>"$work/words"; }
capinfos_agrees() {
    HOME=$work capinfos -M -c -u -I "$work/t.pcapng" >"$work/info" || return 1
    cat "$work/info"
    local first last
    first=$(head -1 "$work/t.log" | tr -d '()' | cut -d' ' -f1) last=$(tail -1 "$work/t.log" | tr -d '()' | cut -d' ' -f1)
    grep -qE "Number of packets: *$(wc -l <"$work/t.log")$" "$work/info" && grep -qE 'Name = can0' "$work/info" &&
        grep -qE 'Name = can1' "$work/info" &&
        awk -v duration="$(awk "BEGIN { printf \"%.6f\", $last - $first }")" \
            '/^Capture duration/ { off = $3 - duration; seen = 1 } END { exit !(seen && off < 2e-6 && off > -2e-6) }' "$work/info" &&
        [ "$(sed -n 's/.*Number of packets = //p' "$work/info" | paste -sd' ')" = \
            "$(grep -c ' can0 ' "$work/t.log") $(grep -c ' can1 ' "$work/t.log")" ]
}
every_frame_equal() {
    shark -Y 'can.flags.err == 0' -T fields -E separator=, -e frame.interface_name -e frame.time_epoch -e can.id -e can.len -e data.data |
        awk -F, '{ gsub(/:/, "", $5); sub(/^0x0*/, "", $3); point = index($2, ".")
                   printf "%s 17%08d.%s %03X %d %s\n", $1, substr($2, 1, point - 1), substr($2, point + 1, 6), $3, $4, toupper($5) }' >"$work/theirs"
    canonical "$work/frames.log" >"$work/ours"
    wc -l "$work/theirs" "$work/ours" && diff "$work/theirs" "$work/ours" | head -5 && [ -s "$work/theirs" ] && cmp "$work/theirs" "$work/ours" &&
        sha256sum <"$work/theirs"
}
errors_decoded() { # each at its time, of its class, with the frame it ended
    shark -Y 'can.flags.err == 1' -T fields -E separator=, -e frame.time_epoch -e can.err.prot -e can.err.buserror -e can.err.ack -e frame.comment |
        awk -F, '{ point = index($1, "."); printf "17%08d.%s %s %s %s %s\n", substr($1, 1, point - 1), substr($1, point + 1, 6), $2, $3, $4, $5 }' >"$work/theirs"
    head -3 "$work/theirs"
    [ -s "$work/errors.log" ] && [ "$(wc -l <"$work/theirs")" -eq "$(wc -l <"$work/errors.log")" ] &&
        ! grep -vE '^[0-9.]+ (1|True) (1|True) (0|False) ended frame [0-9A-F]{3}#([0-9A-F]{2})*$' "$work/theirs" &&
        diff <(cut -d' ' -f1 "$work/theirs") <(sed 's/^(\([^)]*\)).*/\1/' "$work/errors.log")
}
nothing_malformed() { shark -Y '_ws.malformed or _ws.expert.severity >= 6291456' >"$work/odd" && head -3 "$work/odd" && [ ! -s "$work/odd" ]; }

# ---- can-utils ------------------------------------------------------------------------------------------------------------------
long_reads_it() { # "(time)  can0       060   [8]  01 02 ..." of every frame; error frames are named
    log2long <"$work/t.log" >"$work/long"
    [ "$(grep -c ERRORFRAME "$work/long")" -eq "$(wc -l <"$work/errors.log")" ] &&
        awk '!/ERRORFRAME/ { data = ""; for (i = 5; i <= NF && $i ~ /^[0-9A-F][0-9A-F]$/; i++) data = data $i
                             gsub(/[()]/, "", $1); gsub(/[][]/, "", $4); print $2, $1, $3, $4, data }' "$work/long" >"$work/theirs"
    canonical "$work/frames.log" | diff - "$work/theirs" | head -5
    canonical "$work/frames.log" | cmp - "$work/theirs"
}
asc_and_back() { # Vector's format and back: the same frames in the same order, the same times after the first one
    log2asc -I "$work/t.log" can0 can1 >"$work/t.asc" && asc2log -I "$work/t.asc" >"$work/back.log"
    [ "$(grep -c ErrorFrame "$work/t.asc")" -eq "$(wc -l <"$work/errors.log")" ] &&
        awk '{ gsub(/[()]/, "", $1); if (NR == 1) start = $1; split($3, p, "#")
               printf "%.6f %s %s\n", $1 - start, $2, length(p[1]) == 8 ? "error" : $3 }' "$work/t.log" >"$work/ours"
    awk '{ gsub(/[()]/, "", $1); if (NR == 1) start = $1; split($3, p, "#")
           printf "%.6f %s %s\n", $1 - start, $2, length(p[1]) == 8 ? "error" : $3 }' "$work/back.log" >"$work/theirs"
    diff "$work/ours" "$work/theirs" | head -5
    paste -d' ' "$work/ours" "$work/theirs" |
        awk '{ off = $1 - $4 } $2 != $5 || $3 != $6 || off > 2e-6 || off < -2e-6 { bad = 1 } END { exit bad || NR == 0 }'
}

# ---- the DBC --------------------------------------------------------------------------------------------------------------------
canmatrix_decodes() { # canmatrix_decodes LOG: the same from every frame as the reader of our own that export.sh compares with
    "$python" tests/system/canmatrix_decode.py "$work/t.dbc" "$1" 2>"$work/words" | sort -k1,1n -k2,2 >"$work/theirs"
    [ "${PIPESTATUS[0]}" -eq 0 ] || { cat "$work/words" && return 1; }
    awk -v any_value=1 -v pieces=1 -f tests/system/dbc_decode.awk "$work/t.dbc" "$1" | sort -k1,1n -k2,2 >"$work/ours"
    [ -s "$work/ours" ] && [ "$(wc -l <"$work/ours")" -eq "$(wc -l <"$work/theirs")" ] && paste -d' ' "$work/ours" "$work/theirs" |
        awk '{ off = $3 - $6; if (off < 0) off = -off; size = $3 < 0 ? -$3 : $3 }
             $1 != $4 || $2 != $5 || off > 1e-12 * (1 + size) { print; bad = 1 } END { print NR " values"; exit bad }'
}
canmatrix_knows_every_frame() {
    "$BUILD/tests/system/frame_decoder" sample targets/hubo2/hubo2.xml 2 >"$work/sample.log" && canmatrix_decodes "$work/sample.log"
}

claim capinfos "counts the same frames on the same two interfaces, over the same time" capinfos_agrees
claim tshark "shows interface, time, identifier, length and data of every frame as the log does" every_frame_equal
claim tshark "decodes every error frame and shows which frame it ended" errors_decoded
claim tshark "finds nothing malformed" nothing_malformed
claim log2long "reads every line of the log" long_reads_it
claim asc2log "gives back what log2asc made of the log" asc_and_back
claim canmatrix "decodes every frame of the trial by the DBC as our own reader does" canmatrix_decodes "$work/frames.log"
claim canmatrix "decodes every message there is" canmatrix_knows_every_frame
echo "1..$n"
