#!/bin/sh
# publish.sh COUNT: sends the numbers from 1, each until the broker has acknowledged it.
i=1
while [ "$i" -le "$1" ]; do
    until mosquitto_pub -h 127.0.0.1 -p 21883 -q 2 -t number -m "$i" 2>&1; do sleep 0.1; done
    echo "acknowledged $i"
    i=$((i + 1))
    sleep 0.1
done
