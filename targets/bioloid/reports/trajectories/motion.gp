# The neck's reference and what its servo does: angle and speed. The example lies between 3 and 4 s.
height = 420
eval start
q = 'data index 0'
set multiplot layout 2,1 margins 0.11, 0.97, 0.12, 0.92 spacing 0.05
set xrange [from_s:to_s]; set format x ''; set key above right maxrows 1; set ytics font ',10'; set offsets 0, 0, graph 0.06, graph 0.06
set ylabel 'angle [°]'
plot data index 0 using 'time_s':'neck_goal_deg' with lines lw 2.4 lc rgb grey title 'reference', '' index 0 using 'time_s':'neck_deg' with lines lw 1.4 lc rgb blue title 'neck'
unset key
set format x; set xlabel 'time [s]' offset 0,0.4; set ylabel 'speed [°/s]'
plot data index 0 using 'time_s':'neck_goal_deg_s' with lines lw 2.4 lc rgb grey, '' index 0 using 'time_s':'neck_deg_s' with lines lw 1.4 lc rgb blue
unset multiplot
