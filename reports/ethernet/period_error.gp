# Left the sender, right the receiver; a line per period. Solid: median; dashed: p99.9 of the worst run.
width = 1120; height = 340
stats data using 2 nooutput
blocks = STATS_blocks
array colour[6] = [blue, red, violet, teal, amber, grey]
array title_of[blocks]
do for [i=1:blocks] { stats data index i-1 using (title_of[i] = strcol(1), 0) nooutput }
eval start
set multiplot
set logscale y; set yrange [0.3:20000]; set xrange [0:1550]; set xtics (50, 500, 1000, 1500)
set xlabel 'data size [B]' offset 0,0.4; set ylabel 'period error [us]'; set format y '%g'
set tmargin at screen 0.82; set bmargin at screen 0.17
set key at screen 0.98, screen 0.98 right top maxrows 1
set lmargin at screen 0.07; set rmargin at screen 0.49
set label 1 'sender' at graph 0.02, graph 0.94
plot for [i=1:blocks] data index i-1 using 2:3 with linespoints pt 7 ps 0.5 lw 1.6 lc rgb colour[(i-1) % 6 + 1] title title_of[i], \
     for [i=1:blocks] data index i-1 using 2:4 with lines dt (4,4) lc rgb colour[(i-1) % 6 + 1] notitle
set lmargin at screen 0.57; set rmargin at screen 0.98
set label 1 'receiver'; unset key
plot for [i=1:blocks] data index i-1 using 2:5 with linespoints pt 7 ps 0.5 lw 1.6 lc rgb colour[(i-1) % 6 + 1], \
     for [i=1:blocks] data index i-1 using 2:6 with lines dt (4,4) lc rgb colour[(i-1) % 6 + 1]
unset multiplot
