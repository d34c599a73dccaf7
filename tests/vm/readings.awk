# Whether what the Hardware daemon published are readings of a replayed log: awk -f readings.awk RECORDED STATES...
#
# RECORDED is what dbc_decode.awk read from the log, STATES what tests/vm/lone_hardware printed at each replay. Each position must be one that
# the log holds of this joint, and each later one of that replay a later one; every joint of the log must have been read `least` times
# in all. Prints how often; exit 1 if not so.

FNR == NR {
    if ($2 !~ /_encoder\..*_position$/ || $2 ~ /\.channel_/) next # a channel without a joint is nobody's reading
    joint = $2
    sub(/.*_encoder\./, "", joint)
    sub(/_position$/, "", joint)
    recorded[joint, ++count[joint]] = $3
    next
}
FNR == 1 { split("", at) } # it begins again
$1 == "position" {
    for (k = at[$2] + 1; k <= count[$2]; k++) {
        off = recorded[$2, k] - $3
        if (off < 1e-12 && off > -1e-12) break
    }
    if (k > count[$2]) {
        print FILENAME ":" FNR ": " $2 " was never at " $3 " in the log, or only earlier"
        bad++
        next
    }
    at[$2] = k
    if (read_[$2]++ && last[$2] != $3) moves++
    last[$2] = $3
    readings++
}
END {
    for (joint in count) {
        joints++
        if (read_[joint] < least) { print joint ": read " read_[joint] + 0 " times of " count[joint]; bad++ }
    }
    print readings + 0 " readings of " joints + 0 " joints, " moves + 0 " of them new positions"
    exit bad || !joints || moves < least * 10
}
