# Block by block: a redundancy, whose name is the first column. Rows of the campaign from top to bottom.
stats data using 2 nooutput
last = STATS_max
width = 1120; height = 90 + 22 * last
eval start
stats data using 0 nooutput
blocks = STATS_blocks
array colour[5] = [red, amber, teal, blue, violet]
array title_of[blocks]
do for [i=1:blocks] { stats data index i-1 using (title_of[i] = strcol(1), 0) nooutput }
set xlabel 'cycles lost'
set xrange [-5:*]; set yrange [last + 0.6:0.4]; set key outside top left maxrows 1
plot data index 0 using (NaN):2:ytic(4) with points notitle, \
     for [i=1:blocks] data index i-1 using 3:($2 + 0.22 * (i - 2)) with points pt 7 ps 0.5 lc rgb colour[(i - 1) % 5 + 1] title title_of[i]
