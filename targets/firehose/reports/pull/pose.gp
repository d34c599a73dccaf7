# Pelvis over time: ahead, to the left, turned.
height = 480
eval start
eval shade
set multiplot layout 3,1 margins 0.11, 0.97, 0.12, 0.98 spacing 0.03
set xrange [from_s - t0:to_s - t0]; set format x ''; unset key; set ytics font ',10'
q = 'quantities'
set ylabel 'ahead [m]'; plot data index q using (since(column('time_s'))):'forward_m' with lines lc rgb blue
set ylabel 'left [m]'; set offsets 0, 0, 0.02, 0.02; plot data index q using (since(column('time_s'))):'side_m' with lines lc rgb teal
set format x; set xlabel x_label offset 0,0.4; set ylabel 'turned [°]'; set offsets 0, 0, 0.5, 0.5
plot data index q using (since(column('time_s'))):(57.29578 * column('yaw_rad')) with lines lc rgb amber
unset multiplot
