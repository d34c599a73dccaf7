# Decodes a candump log by a DBC, knowing nothing of the robot: awk -f dbc_decode.awk FILE.dbc FILE.log
#
# Prints "LINE MESSAGE.SIGNAL VALUE" for what is in each frame, and to stderr one line about each frame the DBC does not know, each signal
# out of its range, each length that the DBC does not allow. By the rules in the DBC's comments: NAME_magnitude and NAME_sign become
# NAME, NAME_high + NAME_low become NAME, A_or_B is A in a frame of its message's length and otherwise B. Set any_value=1 to pass over ranges,
# pieces=1 to print the signals as they are.
# Understands what `ukemi export --format dbc` writes: little-endian signals, one level of multiplexing.

function hex(digit) { return index("0123456789ABCDEF", toupper(digit)) - 1 }

function value_of(s,    v, b) { # raw value of signal s from bit[]
    v = 0
    for (b = bits[s] - 1; b >= 0; b--) v = 2 * v + bit[start[s] + b]
    return negative[s] && bit[start[s] + bits[s] - 1] ? v - 2 ^ bits[s] : v
}

function complain(text) { print FILENAME ":" FNR ": " text > "/dev/stderr" }

function put(name, value) { printf "%d %s.%s %.17g\n", FNR, message, name, value }

# ---- the DBC -------------------------------------------------------------------------------------
FNR == NR && $1 == "BO_" { id = $2 + 0; title = $3; sub(/:$/, "", title); name_of[id] = title; length_of[id] = $4; signals_of[id] = 0; next }
FNR == NR && $1 == "SG_" {
    s = id "," signals_of[id]++
    signal[s] = $2
    colon = $3 == ":" ? 3 : 4
    mux[s] = colon == 4 ? $3 : ""
    layout = $(colon + 1)
    if (layout !~ /^[0-9]+\|[0-9]+@1[+-]$/) { complain("layout " layout); next }
    split(layout, part, /[|@]/)
    start[s] = part[1]; bits[s] = part[2]; negative[s] = layout ~ /-$/
    scale = $(colon + 2); gsub(/[()]/, "", scale); split(scale, part, ",")
    factor[s] = part[1] + 0; offset[s] = part[2] + 0
    range = $(colon + 3); gsub(/[][]/, "", range); split(range, part, "|")
    low[s] = part[1] + 0; high[s] = part[2] + 0
    for (b = start[s]; b < start[s] + bits[s]; b++) { # no two signals share a bit, but those of different multiplexer values
        key = id "," mux[s] "," b
        if (key in taken || (id ",," b) in taken || b >= 8 * length_of[id]) complain(name_of[id] "." signal[s] ": bit " b)
        taken[key] = 1
    }
    next
}
FNR == NR { next }

# ---- the log -------------------------------------------------------------------------------------
{
    split($3, part, "#")
    if (length(part[1]) != 3) next # an error frame
    id = 256 * hex(substr(part[1], 1, 1)) + 16 * hex(substr(part[1], 2, 1)) + hex(substr(part[1], 3, 1))
    if (!(id in name_of)) { complain("no message " part[1]); next }
    message = name_of[id]
    size = length(part[2]) / 2
    if (size > length_of[id]) complain(message " of " size " bytes")
    for (i = 0; i < size; i++)
        for (b = 0; b < 8; b++) {
            digit = hex(substr(part[2], 2 * i + (b < 4 ? 2 : 1), 1))
            bit[8 * i + b] = int(digit / 2 ^ (b % 4)) % 2
        }
    chosen = ""
    for (k = 0; k < signals_of[id]; k++)
        if (mux[id "," k] == "M") chosen = "m" value_of(id "," k)
    for (k = 0; k < signals_of[id]; k++) {
        s = id "," k
        if ((mux[s] ~ /^m/ && mux[s] != chosen) || start[s] + bits[s] > 8 * size) continue
        value = value_of(s) * factor[s] + offset[s]
        if (!any_value && (value < low[s] || value > high[s])) complain(message "." signal[s] " = " value ", range " low[s] " to " high[s])
        if (pieces) { put(signal[s], value); continue }
        name = mux[s] ~ /^m/ && start[s] == 16 ? "argument" : signal[s] # of a request, whatever it means
        if (name ~ /_or_/) {
            split(name, part_of, "_or_")
            tail = part_of[2]; sub(/^[^_]*/, "", tail)
            if (size == length_of[id]) name = part_of[1] tail
            else name = part_of[2]
        }
        if (name ~ /magnitude$/) {
            sub(/_magnitude$/, "", name); magnitude = value
        } else if (name ~ /_sign$/) {
            sub(/_sign$/, "", name); put(name, value ? -magnitude : magnitude)
        } else if (name ~ /_high$/) {
            sub(/_high$/, "", name); sum[name] = value
        } else if (name ~ /_low$/) {
            sub(/_low$/, "", name); put(name, sum[name] + value)
        } else
            put(name, value)
    }
}
