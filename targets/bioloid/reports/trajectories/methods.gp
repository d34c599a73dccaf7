# All methods in one plot: angle less a straight line (the angles themselves hide each other), speed, acceleration. Blocks: methods.
height = 560
eval start
stats data using 0 nooutput
methods = STATS_blocks
array colour[5] = [blue, teal, amber, red, violet]
array title_of[methods]
do for [i=1:methods] { stats data index i-1 using (title_of[i] = strcol(1), 0) nooutput }
stats data index 0 using 2:3 nooutput
t1 = STATS_min_x; t2 = STATS_max_x; q1 = STATS_min_y; q2 = STATS_max_y
straight(t) = q1 + (q2 - q1) * (t - t1) / (t2 - t1)
set multiplot layout 3,1 margins 0.11, 0.97, 0.09, 0.93 spacing 0.05
set xrange [t1:t2]; set format x ''; set key above right maxrows 1 noenhanced; set ytics font ',10'; set offsets 0, 0, graph 0.08, graph 0.08
set ylabel 'angle less a straight line [°]'
plot for [i=1:methods] data index i-1 using 2:($3 - straight($2)) with lines lw 1.8 lc rgb colour[(i - 1) % 5 + 1] title title_of[i]
unset key
set ylabel 'speed [°/s]'
plot for [i=1:methods] data index i-1 using 2:4 with lines lw 1.8 lc rgb colour[(i - 1) % 5 + 1]
set format x; set xlabel 'time [s]' offset 0,0.4; set ylabel 'acceleration [°/s²]'; set yrange [-40:40]; set offsets 0, 0, 0, 0
plot for [i=1:methods] data index i-1 using 2:5 with lines lw 1.8 lc rgb colour[(i - 1) % 5 + 1]
unset multiplot
