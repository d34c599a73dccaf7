#!/bin/sh
# watch.sh SOCKET: what the ptp4l at this socket says of its master, twice a second: how far it is
# from it, whether it says that there is one, and whether its port follows one. One pmc is asked
# each time. It reads one line when it is told of input, so the questions are put one by one.
perl -e '$| = 1; for (;;) { for (qw(TIME_STATUS_NP PORT_DATA_SET)) { select undef, undef, undef, 0.25; print "GET $_\n" } }' |
    /usr/sbin/pmc -u -b 0 -s "$1" -i /tmp/watch |
    perl -lane '$| = 1; $offset = $F[1] if $F[0] eq "master_offset"; $present = $F[1] eq "true" ? 1 : 0 if $F[0] eq "gmPresent";
        print "offset $offset, present $present, follows ", $F[1] =~ /^(UNCALIBRATED|SLAVE)$/ ? 1 : 0 if $F[0] eq "portState"'
