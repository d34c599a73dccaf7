# One bar per configuration: the medians of the stages of the loop one after the other, in periods.
stats data using 6 nooutput
rows = STATS_max + 1
array shown[8]
do for [i=1:8] { stats data every ::i::i using (shown[i] = strcol(2), $3) nooutput }
width = 1120; height = 120 + 44 * rows
eval start
set lmargin at screen 0.17; set rmargin at screen 0.975
set tmargin at screen 1 - 62.0 / height; set bmargin at screen 54.0 / height
set yrange [-0.6:rows - 0.4]; set xrange [0:2.2]
unset ytics; set grid xtics noytics
set xlabel 'time after the state was published, in periods' offset 0,0.4
set border 1
set style fill solid 0.85 noborder
set key at screen 0.985, screen 0.985 right top maxrows 2 samplen 1.2 width 1
array colour[8] = ['#d9902f', '#cf4a3f', '#c9cdd2', '#8d6cc0', '#dfe2e5', '#3b82b5', '#7fb2d6', '#2a9d8f']
set arrow 1 from 2, graph 0 to 2, graph 1 nohead lc rgb red lw 1.4 dt (6,4)
plot for [i=1:8] data using ($3 == i ? $5 : NaN):6:5:($5 + $4):($6 - 0.32):($6 + 0.32) with boxxyerror fc rgb colour[i] title shown[i], \
     data using ($3 == 1 ? 0 : NaN):6:1 with labels right offset -1,0 notitle
