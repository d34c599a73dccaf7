# From above: pelvis, the places where a foot carried weight, and the hose at the end.
height = 320
eval start
q = 'quantities'
set xlabel 'ahead [m]'; set ylabel 'to the left [m]'; set key above left maxrows 2
held(n) = column(n) > 60 ? 1 : NaN
stats data index q using (x = column('forward_m'), tx = column('tail_x_m'), ty = column('tail_y_m'), hx = column('link_a_x_m'), hy = column('link_a_y_m'), \
    bx = column('link_b_x_m'), by = column('link_b_y_m'), cx = column('link_c_x_m'), cy = column('link_c_y_m'), x) nooutput
set offsets 0.2, 0.2, 0.1, 0.1
chain = hx != 0 || hy != 0
set print $hose
if (chain) { print sprintf("%g\t%g\n%g\t%g\n%g\t%g\n%g\t%g", tx, ty, cx, cy, bx, by, hx, hy) } else { print "NaN\tNaN" }
set print
plot data index q using (column('right_x_m') * held('right_n')):'right_y_m' with points pt 5 ps 0.25 lc rgb blue title 'right foot', \
     '' index q using (column('left_x_m') * held('left_n')):'left_y_m' with points pt 5 ps 0.25 lc rgb teal title 'left foot', \
     '' index q using 'forward_m':'side_m' with lines lc rgb amber lw 1.5 title 'pelvis', \
     $hose using 1:2 with lines lc rgb grey lw 3 title (chain ? 'hose at the end' : 'hose not drawn')
