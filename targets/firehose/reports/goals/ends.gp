# Block by block: a column of the campaign, whose name is the first column. From above.
stats data using 2 nooutput
height = 360
far = STATS_max + 0.5
eval start
stats data using 0 nooutput
columns = STATS_blocks
array colour[5] = [blue, teal, amber, red, violet]
array title_of[columns]
do for [i=1:columns] { stats data index i-1 using (title_of[i] = strcol(1), 0) nooutput }
set xlabel 'ahead [m]'; set ylabel 'to the left [m]'
set xrange [-0.5:far]; set yrange [-1.5:1.5]; set key outside top left maxrows 2
set label 'start' at 0, 0 point pt 2 offset 1, 0
plot for [i=1:columns] data index i-1 using 2:3 with points pt (i > 5 ? 6 : 7) ps 0.5 lc rgb colour[(i - 1) % 5 + 1] title title_of[i]
