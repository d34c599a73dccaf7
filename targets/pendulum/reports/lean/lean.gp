# Block by block: a row of the campaign, whose name is the first column.
height = 380
eval start
stats data using 0 nooutput
rows = STATS_blocks
array colour[5] = [blue, teal, amber, red, violet]
array title_of[rows]
do for [i=1:rows] { stats data index i-1 using (title_of[i] = strcol(1), 0) nooutput }
set xlabel 'instant of the fault [s]'; set ylabel 'greatest lean [rad]'
set logscale y; set key outside top left maxrows 3
plot for [i=1:rows] data index i-1 using 2:3 with points pt 7 ps 0.5 lc rgb colour[(i - 1) % 5 + 1] title title_of[i]
