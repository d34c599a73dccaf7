# Three bars per load: the share of deadlines that Hardware, Balance and Control missed while it lasted; a thin line from the least to the
# most of the runs, a tick where the computed expectation lies.
stats data using 7 nooutput
rows = STATS_max + 1
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
array colour[3] = [blue, red, violet]
array shown[3] = ['Hardware: state', 'Balance: command', 'Control: reference']
middle(place) = (2 - place) * 0.26
plot for [i=1:3] data using ($2 == i ? 0 : NaN):($7 + middle(i)):(0):3:($7 + middle(i) - 0.11):($7 + middle(i) + 0.11) with boxxyerror fc rgb colour[i] title shown[i], \
     for [i=1:3] data using ($2 == i && $5 > $4 ? $4 : NaN):($7 + middle(i)):($5 - $4):(0) with vectors nohead lc rgb 'black' lw 1.2 notitle, \
     for [i=1:3] data using ($2 == i ? $6 : NaN):($7 + middle(i) - 0.13):(0):(0.26) with vectors nohead lc rgb amber lw 3 title (i == 1 ? 'expected' : ''), \
     data using ($2 == 1 ? 0 : NaN):7:1 with labels right offset -1,0 notitle
