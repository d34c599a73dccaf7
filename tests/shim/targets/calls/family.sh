#!/bin/sh
# Children in pipes (cut reads its input as a stream) and in the background, and in the end another program in this one's place.
first=$(sleep 0.3; echo first)
echo "$first"
(sleep 0.2; echo second) &
sleep 0.1
wait
(for i in 1 2 3 4 5; do sleep 0.1; echo "$i"; done) 2>&1 | cut -c 1-5 | while read -r line; do echo "$line"; done
exec sleep 100
