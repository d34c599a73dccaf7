# Block by block: how it ended. Rows of the campaign from top to bottom.
stats data using 2 nooutput
last = STATS_max
height = 130 + 20 * last
eval start
stats data using 0 nooutput
blocks = STATS_blocks
array title_of[blocks]
do for [i=1:blocks] { stats data index i-1 using (title_of[i] = strcol(1), 0) nooutput }
hue(title) = title eq 'fell' ? red : title eq 'came to its goal' ? teal : amber
set xlabel 'phase of the gait at the fault'
set xrange [0:1]; set yrange [last + 0.5:0.5]; set key above left maxrows 1
plot for [i=1:blocks] data index i-1 using 3:2:ytic(4) with points pt 7 ps 0.5 lc rgb hue(title_of[i]) title title_of[i]
