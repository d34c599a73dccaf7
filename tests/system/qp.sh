#!/bin/bash
# Quadratic programs and levels of least squares against Octave's.
# beside others: it measures no time.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap

examples() {
    "$BUILD/tests/system/qp_examples" >"$folder/examples.m" &&
        octave --no-gui --norc --quiet "$folder/examples.m"
}
claim_with octave "finds the same solutions to 1e-6" examples
plan
