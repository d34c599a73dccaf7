# Block by block: a motion, whose name is the first column. Rows of the campaign from top to bottom.
stats data using 2 nooutput
last = STATS_max
height = 160 + 26 * last
eval start
stats data using 0 nooutput
motions = STATS_blocks
array colour[5] = [blue, teal, amber, red, violet]
array title_of[motions]
do for [i=1:motions] { stats data index i-1 using (title_of[i] = strcol(1), 0) nooutput }
set xlabel 'energy that the battery gave [J]'
set xrange [0:1e-6<*]; set yrange [last + 0.5:0.5]; set key outside top left maxrows 1
plot for [i=1:motions] data index i-1 using 3:2:ytic(4) with points pt 7 ps 0.5 lc rgb colour[(i - 1) % 5 + 1] title title_of[i]
