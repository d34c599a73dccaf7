#!/usr/bin/perl
# watch.pl PORT: what the chronyd at this port says of its clock, once a second. One chronyc is
# asked each time: to start one costs more than all that chronyd does in a second.
open(my $ask, "|-", "chronyc", "-n", "-c", "-h", "127.0.0.1", "-p", $ARGV[0]) or die "chronyc: $!";
$ask->autoflush(1);
print $ask "tracking\n" while sleep 1;
