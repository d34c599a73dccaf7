# The right toe over time: angle, moment, force; the knees.
height = 560
eval start
set multiplot layout 4,1 margins 0.11, 0.97, 0.09, 0.95 spacing 0.04
q = 'quantities'
set xrange [from_s - t0:to_s - t0]; set format x ''; set ytics font ',10'; set key inside top right horizontal samplen 2; set offsets 0, 0, graph 0.25, 0
set ylabel 'angle [deg]'
plot data index q using (since(column('time_s'))):(57.2958 * column('right_plan_rad')) with lines lc rgb amber title 'as planned', \
     '' index q using (since(column('time_s'))):(57.2958 * column('right_toe_rad')) with lines lc rgb blue title 'right toe'
unset key; set ylabel 'moment [Nm]'
plot data index q using (since(column('time_s'))):'right_plan_nm' with lines lc rgb amber, \
     '' index q using (since(column('time_s'))):'right_toe_nm' with lines lc rgb blue
set key; set ylabel 'force [N]'
plot data index q using (since(column('time_s'))):'right_n' with lines lc rgb grey title 'right foot', \
     '' index q using (since(column('time_s'))):'right_toe_n' with lines lc rgb blue title "right toe"
set format x; set xlabel x_label offset 0,0.4; set ylabel 'knees [deg]'
plot data index q using (since(column('time_s'))):(57.2958 * column('right_knee_rad')) with lines lc rgb blue title 'right', \
     '' index q using (since(column('time_s'))):(57.2958 * column('left_knee_rad')) with lines lc rgb teal title 'left'
unset multiplot
