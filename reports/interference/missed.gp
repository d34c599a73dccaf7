# A bar per load and deadline: the share missed while the load lasted; a thin line from the least to the
# most of the runs, a tick where the computed expectation lies.
stats data using 7 nooutput
rows = STATS_max + 1
stats data using 9 nooutput
owed = STATS_max > 1 ? int(STATS_max) : 1
array shown[owed]
do for [i=1:owed] { stats data every ::i::i using (shown[i] = strcol(8), $2) nooutput }
width = 1120; height = 110 + 46 * rows
eval start
set lmargin at screen 0.19; set rmargin at screen 0.975
set tmargin at screen 1 - 50.0 / height; set bmargin at screen 54.0 / height
set yrange [-0.5:rows - 0.5]; set xrange [0:100]
unset ytics; set grid xtics noytics
set xlabel 'deadlines missed while the load lasted, per cent' offset 0,0.4
set border 1
set style fill solid 0.85 noborder
set key at screen 0.985, screen 0.985 right top maxrows 1 samplen 1.2 width 1
array colour[6] = [blue, red, violet, teal, amber, grey]
thick = 0.8 / owed
middle(place) = ((owed + 1) / 2.0 - place) * thick
plot for [i=1:owed] data using ($2 == i ? 0 : NaN):($7 + middle(i)):(0):3:($7 + middle(i) - 0.42 * thick):($7 + middle(i) + 0.42 * thick) with boxxyerror fc rgb colour[(i-1)%6+1] title shown[i], \
     for [i=1:owed] data using ($2 == i && $5 > $4 ? $4 : NaN):($7 + middle(i)):($5 - $4):(0) with vectors nohead lc rgb 'black' lw 1.2 notitle, \
     for [i=1:owed] data using ($2 == i ? $6 : NaN):($7 + middle(i) - thick / 2):(0):(thick) with vectors nohead lc rgb amber lw 3 title (i == 1 ? 'expected' : ''), \
     data using ($2 == 1 ? 0 : NaN):7:1 with labels right offset -1,0 notitle
