#!/bin/bash
# The channels' writers and readers as threads under ThreadSanitizer, and mistakes that it must find.
set -u
cd "$(dirname "$0")/../.." || exit 3
if ! echo 'int main(void){return 0;}' | "${CC:-gcc}" -x c -fsanitize=thread -o /dev/null - 2>/dev/null; then
    echo "1..0 # SKIP ${CC:-gcc} has no thread sanitizer"
    exit 0
fi
exec tests/unit/channel/channel_tsan
