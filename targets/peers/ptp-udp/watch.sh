#!/bin/sh
# watch.sh SOCKET: what the ptp4l at this socket says of its master, twice a second: how far it is
# from it, whether it says that there is one, and whether its port follows one.
while sleep 0.5; do
    /usr/sbin/pmc -u -b 0 -s "$1" -i /tmp/watch 'GET TIME_STATUS_NP' 'GET PORT_DATA_SET' |
        awk '$1 == "master_offset" { offset = $2 }
             $1 == "gmPresent" { present = ($2 == "true") }
             $1 == "portState" { print "offset " offset ", present " present ", follows " ($2 == "UNCALIBRATED" || $2 == "SLAVE") }'
done
