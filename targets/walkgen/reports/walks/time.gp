# ZMP and centre of mass over time: ahead, to the left; errors of postures and pendulum.
height = 520
eval start
set multiplot layout 3,1 margins 0.11, 0.97, 0.1, 0.94 spacing 0.05
q = 'quantities'
set xrange [from_s - t0:to_s - t0]; set format x ''; set ytics font ',10'; set key above right maxrows 1
set offsets 0, 0, 0.02, 0.02
set ylabel 'ahead [m]'
plot data index q using (since(column('time_s'))):'zmp_x_m' with lines lc rgb red title 'ZMP, reference', \
     '' index q using (since(column('time_s'))):'zmp_postures_x_m' with lines lc rgb amber title 'ZMP, postures', \
     '' index q using (since(column('time_s'))):'com_x_m' with lines lc rgb violet title 'centre of mass'
unset key; set ylabel 'left [m]'
plot data index q using (since(column('time_s'))):'zmp_y_m' with lines lc rgb red, \
     '' index q using (since(column('time_s'))):'zmp_postures_y_m' with lines lc rgb amber, \
     '' index q using (since(column('time_s'))):'com_y_m' with lines lc rgb violet
set format x; set xlabel x_label offset 0,0.4; set ylabel 'ZMP error [mm]'; set key inside top right horizontal; set yrange [0:1e-6<*]; set offsets 0, 0, 1, 0
plot data index q using (since(column('time_s'))):(1000 * column('zmp_error_m')) with lines lc rgb amber title 'postures', \
     '' index q using (since(column('time_s'))):(1000 * column('pendulum_error_m')) with lines lc rgb blue title 'pendulum'
unset multiplot
