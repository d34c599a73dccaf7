#!/bin/bash
# The build with sanitizers that tests/care/san.sh needs; one at a time.
# limit: 3600 s
# in idle time: it reads sources, and san.sh waits for it
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/tap
if ! echo 'int main(void){return 0;}' | "${CC:-gcc}" -x c -fsanitize=address,undefined -o /dev/null - 2>/dev/null; then
    echo "1..0 # SKIP ${CC:-gcc} has no address and undefined-behaviour sanitizers"
    exit 0
fi
# Of make's own settings those of the run around this test are not for the build within it.
build() { env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS flock "$BUILD/san.lock" make -j"$(nproc)" BUILD="$BUILD" san-programs; }
claim "everything can be built with sanitizers" build
plan
