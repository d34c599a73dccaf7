# Left the period error, right what sending and receiving take; a line per period.
width = 1120; height = 300
stats data using 2 nooutput
blocks = STATS_blocks
array colour[6] = [blue, red, violet, teal, amber, grey]
array title_of[blocks]
do for [i=1:blocks] { stats data index i-1 using (title_of[i] = strcol(1), 0) nooutput }
eval start
set multiplot
set yrange [-10:*]; set xrange [0:1550]; set xtics (50, 500, 1000, 1500)
set xlabel 'data size [B]' offset 0,0.4
set tmargin at screen 0.80; set bmargin at screen 0.19
set key at screen 0.98, screen 0.98 right top maxrows 1
set lmargin at screen 0.07; set rmargin at screen 0.49; set ylabel 'period error [us]'
plot for [i=1:blocks] data index i-1 using 2:3 with linespoints pt 7 ps 0.5 lw 1.6 lc rgb colour[(i-1) % 6 + 1] title title_of[i]
set lmargin at screen 0.57; set rmargin at screen 0.98; unset key; set ylabel 'send + receive [us]'; set yrange [0:250]
plot for [i=1:blocks] data index i-1 using 2:4 with linespoints pt 7 ps 0.5 lw 1.6 lc rgb colour[(i-1) % 6 + 1]
unset multiplot
