# Height of the soles, and the distance of anything from the box, over time.
height = 330
eval start
q = 'quantities'
set multiplot layout 2,1 margins 0.11, 0.97, 0.15, 0.92 spacing 0.06
set xrange [from_s - t0:to_s - t0]; set format x ''; set key above right maxrows 1
set ylabel 'height [m]'; set yrange [0:1e-6<*]
plot data index q using (since(column('time_s'))):'right_sole_z_m' with lines lc rgb red title 'right sole', \
     '' index q using (since(column('time_s'))):'left_sole_z_m' with lines lc rgb amber title 'left sole', \
     '' index q using (since(column('time_s'))):'box_height_m' with lines dt 2 lc rgb '#b08050' title 'box'
set format x; set xlabel x_label offset 0,0.4; set ylabel 'away [mm]'; set yrange [*:55]; set ytics 25; unset key
plot data index q using (since(column('time_s'))):(1000 * column('clear_m')) with lines lc rgb violet
unset multiplot
