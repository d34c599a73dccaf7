# Fig. 15: a parabola; the trials' knees lie on it. Blocks: the parabola, then a trial each.
eval start
stats data using 0 nooutput
blocks = STATS_blocks
array colour[5] = [blue, teal, amber, red, violet]
array title_of[blocks]
do for [i=1:blocks] { stats data index i-1 using (title_of[i] = strcol(1), 0) nooutput }
set xlabel 'instant of the knee [s]'; set ylabel 'what the paper calls energy [mJ]'
set yrange [0.17:0.21]; set xrange [2.95:4.05]; set key above right maxrows 2
plot data index 0 using 2:3 with lines lw 1.8 lc rgb grey title title_of[1], \
     for [i=2:blocks] data index i-1 using 2:3 with points pt 7 ps 0.9 lc rgb colour[(i - 2) % 5 + 1] title title_of[i]
