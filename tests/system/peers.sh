#!/bin/bash
# What programs that nobody here wrote make of an exported trial: tshark and capinfos (Wireshark), can-utils, canmatrix. Those that are not
# installed are skipped (scripts/deps --peers). None of them needs a kernel with CAN; for those that do see tests/vm/peers.sh.
# beside others: all trials are on the virtual clock, where a history depends on nothing outside; the rest is files
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
export UKEMI_ROOT=$PWD LC_ALL=C TZ=UTC

# ---- a trial in which some frames end in error frames, exported ---------------------------------------------------------------
. tests/system/noisy_trial
noisy_trial "$folder" || { result 1 "a trial runs" "$folder/trial" && exit 1; }
exported() {
    "$ukemi" export "$folder/t.mcap" --format pcapng -o "$folder/t.pcapng" && "$ukemi" export "$folder/t.mcap" --epoch 1700000000 -o "$folder/t.log" &&
        "$ukemi" export hubo2 --format dbc -o "$folder/t.dbc"
}
exported >"$folder/out" 2>&1 || { result 1 "it is exported" "$folder/out" && exit 1; }
for python in python3 /usr/bin/python3; do # canmatrix: the one that knows it
    "$python" -c 'import canmatrix.formats' >/dev/null 2>&1 && canmatrix() { "$python" tests/system/canmatrix_decode.py "$@"; } && break
done
awk '$3 !~ /^2.......#/' "$folder/t.log" >"$folder/frames.log" # without error frames
awk '$3 ~ /^2.......#/' "$folder/t.log" >"$folder/errors.log"

# canonical LOG: "INTERFACE SECONDS.MICROS IDENTIFIER LENGTH DATA", a line per frame
canonical() { awk '{ split($3, p, "#"); gsub(/[()]/, "", $1); print $2, $1, p[1], length(p[2]) / 2, p[2] }' "$1"; }

# ---- Wireshark ----------------------------------------------------------------------------------------------------------------
shark() { HOME=$folder XDG_CONFIG_HOME=$folder tshark -n -r "$folder/t.pcapng" "$@" 2>"$folder/words"; }
capinfos_agrees() {
    HOME=$folder capinfos -M -c -u -I "$folder/t.pcapng" >"$folder/info" || return 1
    cat "$folder/info"
    local first last
    first=$(head -1 "$folder/t.log" | tr -d '()' | cut -d' ' -f1) last=$(tail -1 "$folder/t.log" | tr -d '()' | cut -d' ' -f1)
    grep -qE "Number of packets: *$(wc -l <"$folder/t.log")$" "$folder/info" && grep -qE 'Name = can0' "$folder/info" &&
        grep -qE 'Name = can1' "$folder/info" &&
        awk -v duration="$(awk "BEGIN { printf \"%.6f\", $last - $first }")" \
            '/^Capture duration/ { off = $3 - duration; seen = 1 } END { exit !(seen && off < 2e-6 && off > -2e-6) }' "$folder/info" &&
        [ "$(sed -n 's/.*Number of packets = //p' "$folder/info" | paste -sd' ')" = \
            "$(grep -c ' can0 ' "$folder/t.log") $(grep -c ' can1 ' "$folder/t.log")" ]
}
every_frame_equal() {
    shark -Y 'can.flags.err == 0' -T fields -E separator=, -e frame.interface_name -e frame.time_epoch -e can.id -e can.len -e data.data |
        awk -F, '{ gsub(/:/, "", $5); sub(/^0x0*/, "", $3); point = index($2, ".")
                   printf "%s 17%08d.%s %03X %d %s\n", $1, substr($2, 1, point - 1), substr($2, point + 1, 6), $3, $4, toupper($5) }' >"$folder/theirs"
    canonical "$folder/frames.log" >"$folder/ours"
    wc -l "$folder/theirs" "$folder/ours" && diff "$folder/theirs" "$folder/ours" | head -5 && [ -s "$folder/theirs" ] && cmp "$folder/theirs" "$folder/ours" &&
        sha256sum <"$folder/theirs"
}
errors_decoded() { # each at its time, of its class, with the frame it ended
    shark -Y 'can.flags.err == 1' -T fields -E separator=, -e frame.time_epoch -e can.err.prot -e can.err.buserror -e can.err.ack -e frame.comment |
        awk -F, '{ point = index($1, "."); printf "17%08d.%s %s %s %s %s\n", substr($1, 1, point - 1), substr($1, point + 1, 6), $2, $3, $4, $5 }' >"$folder/theirs"
    head -3 "$folder/theirs"
    [ -s "$folder/errors.log" ] && [ "$(wc -l <"$folder/theirs")" -eq "$(wc -l <"$folder/errors.log")" ] &&
        ! grep -vE '^[0-9.]+ (1|True) (1|True) (0|False) ended frame [0-9A-F]{3}#([0-9A-F]{2})*$' "$folder/theirs" &&
        diff <(cut -d' ' -f1 "$folder/theirs") <(sed 's/^(\([^)]*\)).*/\1/' "$folder/errors.log")
}
nothing_malformed() { shark -Y '_ws.malformed or _ws.expert.severity >= 6291456' >"$folder/odd" && head -3 "$folder/odd" && [ ! -s "$folder/odd" ]; }

# ---- can-utils ------------------------------------------------------------------------------------------------------------------
long_reads_it() { # "(time)  can0       060   [8]  01 02 ..." of every frame; error frames are named
    log2long <"$folder/t.log" >"$folder/long"
    [ "$(grep -c ERRORFRAME "$folder/long")" -eq "$(wc -l <"$folder/errors.log")" ] &&
        awk '!/ERRORFRAME/ { data = ""; for (i = 5; i <= NF && $i ~ /^[0-9A-F][0-9A-F]$/; i++) data = data $i
                             gsub(/[()]/, "", $1); gsub(/[][]/, "", $4); print $2, $1, $3, $4, data }' "$folder/long" >"$folder/theirs"
    canonical "$folder/frames.log" | diff - "$folder/theirs" | head -5
    canonical "$folder/frames.log" | cmp - "$folder/theirs"
}
asc_and_back() { # Vector's format and back: the same frames in the same order, the same times after the first one
    log2asc -I "$folder/t.log" can0 can1 >"$folder/t.asc" && asc2log -I "$folder/t.asc" >"$folder/back.log"
    [ "$(grep -c ErrorFrame "$folder/t.asc")" -eq "$(wc -l <"$folder/errors.log")" ] &&
        awk '{ gsub(/[()]/, "", $1); if (NR == 1) start = $1; split($3, p, "#")
               printf "%.6f %s %s\n", $1 - start, $2, length(p[1]) == 8 ? "error" : $3 }' "$folder/t.log" >"$folder/ours"
    awk '{ gsub(/[()]/, "", $1); if (NR == 1) start = $1; split($3, p, "#")
           printf "%.6f %s %s\n", $1 - start, $2, length(p[1]) == 8 ? "error" : $3 }' "$folder/back.log" >"$folder/theirs"
    diff "$folder/ours" "$folder/theirs" | head -5
    paste -d' ' "$folder/ours" "$folder/theirs" |
        awk '{ off = $1 - $4 } $2 != $5 || $3 != $6 || off > 2e-6 || off < -2e-6 { bad = 1 } END { exit bad || NR == 0 }'
}

# ---- the DBC --------------------------------------------------------------------------------------------------------------------
canmatrix_decodes() { # canmatrix_decodes LOG: the same from every frame as the reader of our own that export.sh compares with
    canmatrix "$folder/t.dbc" "$1" 2>"$folder/words" | sort -k1,1n -k2,2 >"$folder/theirs"
    [ "${PIPESTATUS[0]}" -eq 0 ] || { cat "$folder/words" && return 1; }
    awk -v any_value=1 -v pieces=1 -f tests/system/dbc_decode.awk "$folder/t.dbc" "$1" | sort -k1,1n -k2,2 >"$folder/ours"
    [ -s "$folder/ours" ] && [ "$(wc -l <"$folder/ours")" -eq "$(wc -l <"$folder/theirs")" ] && paste -d' ' "$folder/ours" "$folder/theirs" |
        awk '{ off = $3 - $6; if (off < 0) off = -off; size = $3 < 0 ? -$3 : $3 }
             $1 != $4 || $2 != $5 || off > 1e-12 * (1 + size) { print; bad = 1 } END { print NR " values"; exit bad }'
}
canmatrix_knows_every_frame() {
    "$BUILD/tests/system/frame_decoder" sample targets/hubo2/hubo2.xml 2 >"$folder/sample.log" && canmatrix_decodes "$folder/sample.log"
}

claim_with capinfos "counts the same frames on the same two interfaces, over the same time" capinfos_agrees
claim_with tshark "shows interface, time, identifier, length and data of every frame as the log does" every_frame_equal
claim_with tshark "decodes every error frame and shows which frame it ended" errors_decoded
claim_with tshark "finds nothing malformed" nothing_malformed
claim_with log2long "reads every line of the log" long_reads_it
claim_with asc2log "gives back what log2asc made of the log" asc_and_back
claim_with canmatrix "decodes every frame of the trial by the DBC as our own reader does" canmatrix_decodes "$folder/frames.log"
claim_with canmatrix "decodes every message there is" canmatrix_knows_every_frame
plan
