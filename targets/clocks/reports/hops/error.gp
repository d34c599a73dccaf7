# Block by block: a scheme, whose name is the first column.
eval start
stats data using 0 nooutput
schemes = STATS_blocks
array colour[5] = [blue, amber, teal, red, violet]
array title_of[schemes]
do for [i=1:schemes] { stats data index i-1 using (title_of[i] = strcol(1), 0) nooutput }
set xlabel 'hops from the PC'
set ylabel 'error, rms [us]'
set xrange [0.5:5.5]; set logscale y; set xtics 1; set key outside
plot for [i=1:schemes] data index i-1 using 2:3 smooth unique with lines lw 2 lc rgb colour[i] title title_of[i], \
     for [i=1:schemes] data index i-1 using ($2 + 0.08 * (i - 0.5 * (1 + schemes))):3 with points pt 7 ps 0.5 lc rgb colour[i] notitle
