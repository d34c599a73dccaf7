#!/bin/sh
# Prints each number that arrives, and how many different ones have, those of its earlier lives
# included. The session at the broker outlives it, too.
touch /tmp/seen
mosquitto_sub -h 127.0.0.1 -p 21883 -q 2 -c -i subscriber -t number | {
    seen=" " distinct=0
    while read -r number; do
        seen="$seen$number " distinct=$((distinct + 1))
    done </tmp/seen
    while read -r number; do
        case $seen in
        *" $number "*) ;;
        *)
            seen="$seen$number " distinct=$((distinct + 1))
            echo "$number" >>/tmp/seen
            ;;
        esac
        echo "received $number, $distinct in all"
    done
}
