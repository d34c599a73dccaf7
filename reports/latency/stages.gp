# One bar per configuration: the medians of the stages of the chain one after the other, in periods.
stats data using 6 nooutput
rows = STATS_max + 1
stats data using 3 nooutput
ways = int(STATS_max)
stats data using ($5 + $4) nooutput
ends = STATS_max
array shown[ways]
do for [i=1:ways] { stats data every ::i::i using (shown[i] = strcol(2), $3) nooutput }
width = 1120; height = 120 + 44 * rows
eval start
set lmargin at screen 0.17; set rmargin at screen 0.975
set tmargin at screen 1 - 62.0 / height; set bmargin at screen 54.0 / height
set yrange [-0.6:rows - 0.4]; set xrange [0:(ends > 0 ? 1.1 * ends : 1)]
unset ytics; set grid xtics noytics
set xlabel 'time after the first message was published, in periods' offset 0,0.4
set border 1
set style fill solid 0.85 noborder
set key at screen 0.985, screen 0.985 right top maxrows 2 samplen 1.2 width 1
array colour[8] = ['#d9902f', '#cf4a3f', '#c9cdd2', '#8d6cc0', '#dfe2e5', '#3b82b5', '#7fb2d6', '#2a9d8f']
plot for [i=1:ways] data using ($3 == i ? $5 : NaN):6:5:($5 + $4):($6 - 0.32):($6 + 0.32) with boxxyerror fc rgb colour[(i-1)%8+1] title shown[i], \
     data using ($3 == 1 ? 0 : NaN):6:1 with labels right offset -1,0 notitle
