#!/bin/bash
# Every input that was ever worth keeping is survived by what reads it: tests/fuzz/corpus, replayed by the fuzz targets.
# beside others: inputs and what reads them; no clock
set -u
cd "$(dirname "$0")/../.." || exit 3
build=${BUILD:-build}
n=0
for source in tests/fuzz/*/*.c; do
    target=$(basename "$source" .c)
    n=$((n + 1))
    inputs=("tests/fuzz/corpus/$target"/*)
    if [ ! -f "${inputs[0]}" ]; then
        echo "not ok $n - $target: no inputs in tests/fuzz/corpus/$target"
    elif output=$(timeout 120 "$build/tests/fuzz/$target" "${inputs[@]}" 2>&1); then
        echo "ok $n - $target: ${#inputs[@]} inputs"
    else
        echo "not ok $n - $target: broken by $(grep '^# ' <<<"$output" | tail -1 | cut -c3-)"
        grep -v '^# ' <<<"$output" | sed 's/^/# /'
    fi
done
echo "1..$n"
