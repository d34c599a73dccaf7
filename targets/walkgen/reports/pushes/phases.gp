# Block by block: who fell, then who went on; a point per trial.
stats data using 2 nooutput
last = STATS_max
height = 160 + 26 * last
eval start
set xlabel 'phase of the gait cycle of two steps; 0: before the right foot swings'
set xrange [0:1]; set yrange [last + 0.5:0.5]; set key outside top left maxrows 1
plot data index 0 using 3:2:ytic(4) with points pt 7 ps 0.6 lc rgb red title 'fell', \
     data index 1 using 3:2:ytic(4) with points pt 7 ps 0.6 lc rgb blue title 'went on'
