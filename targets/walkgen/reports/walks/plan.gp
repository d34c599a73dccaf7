# From above: the soles where they came to stand, the reference of the ZMP, the postures' ZMP, the centre of mass.
height = 330
eval start
q = 'quantities'
set xlabel 'ahead [m]'; set ylabel 'to the left [m]'; set key outside above left maxrows 2 samplen 2
set size ratio -1; set xrange [*<-0.3:0.5<*]; set offsets 0.05, 0.05, 0.05, 0.05
# Corner k of a sole of 0.21 x 0.13 m, anticlockwise from the front left.
ahead(k) = k % 4 == 0 || k % 4 == 3 ? 0.105 : -0.105
left(k) = k % 4 < 2 ? 0.065 : -0.065
cx(x, w, k) = x + cos(w) * ahead(k) - sin(w) * left(k)
cy(y, w, k) = y + sin(w) * ahead(k) + cos(w) * left(k)
# Once for each place: at the second row in which the foot has not moved. Before the start it is at 0, 0.
once(x, y) = (same = x == last_x && y == last_y ? same + 1 : 0, last_x = x, last_y = y, same == 1 && (x != 0 || y != 0) ? x : NaN)
plot for [k=0:3] (last_x = NaN, last_y = NaN, same = 0, data) index q \
       using (x = once(column('right_x_m'), column('right_y_m')), w = column('right_yaw_rad'), cx(x, w, k)):(cy(column('right_y_m'), w, k)):(cx(0, w, k + 1) - cx(0, w, k)):(cy(0, w, k + 1) - cy(0, w, k)) \
       with vectors nohead lw 1 lc rgb blue notitle, \
     for [k=0:3] (last_x = NaN, last_y = NaN, same = 0, data) index q \
       using (x = once(column('left_x_m'), column('left_y_m')), w = column('left_yaw_rad'), cx(x, w, k)):(cy(column('left_y_m'), w, k)):(cx(0, w, k + 1) - cx(0, w, k)):(cy(0, w, k + 1) - cy(0, w, k)) \
       with vectors nohead lw 1 lc rgb teal notitle, \
     keyentry with lines lc rgb blue title 'right sole', keyentry with lines lc rgb teal title 'left sole', \
     data index q using 'zmp_x_m':'zmp_y_m' with lines lw 2 lc rgb red title 'ZMP, reference', \
     '' index q using 'zmp_postures_x_m':'zmp_postures_y_m' with lines lw 1 lc rgb amber title 'ZMP, postures', \
     '' index q using 'com_x_m':'com_y_m' with lines lw 1.5 lc rgb violet title 'centre of mass'
