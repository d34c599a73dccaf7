# Seen from above: the paths of centre of mass and feet, and the support polygon as the fault struck. Same scale on both axes.
eval start
low(a, b) = a < b ? a : b
high(a, b) = a > b ? a : b
stats data index 0 using "com_x_m":"com_y_m" name 'com' nooutput
stats data index 0 using "right_x_m":"right_y_m" name 'right' nooutput
stats data index 0 using "left_x_m":"left_y_m" name 'left' nooutput
x0 = low(com_min_x, low(right_min_x, left_min_x)) - 0.16; x1 = high(com_max_x, high(right_max_x, left_max_x)) + 0.16
y0 = low(com_min_y, low(right_min_y, left_min_y)) - 0.12; y1 = high(com_max_y, high(right_max_y, left_max_y)) + 0.12
# The plot is about 2.4 times as wide as high: widen the narrower direction around its middle.
aspect = 2.4
wide = high(x1 - x0, aspect * (y1 - y0)); tall = wide / aspect
xm = (x0 + x1) / 2; ym = (y0 + y1) / 2
set xrange [xm - wide / 2:xm + wide / 2]; set yrange [ym - tall / 2:ym + tall / 2]
set size ratio -1
tick = wide < 1 ? 0.1 : wide < 2.5 ? 0.25 : wide < 5 ? 0.5 : 1
set xtics tick; set ytics tick
set xlabel 'forward [m]' offset 0,0.4; set ylabel 'left [m]' offset 1.2,0
set style fill solid 0.22 border
set key maxrows 2 samplen 1.2 width -1
plot data index 1 using 1:2 with filledcurves closed fc rgb grey title 'support at the fault', \
     data index 0 using "com_x_m":"com_y_m" with lines lc rgb blue lw 2 title 'CoM', \
     data index 0 using "right_x_m":"right_y_m" with lines lc rgb teal lw 1.2 title 'right foot', \
     data index 0 using "left_x_m":"left_y_m" with lines lc rgb violet lw 1.2 title 'left foot', \
     data index 2 using 1:2 every ::0::0 with points pt 7 ps 0.8 lc rgb blue title 'CoM at the fault', \
     data index 2 using 1:2 every ::1::1 with points pt 2 ps 0.9 lw 2 lc rgb amber title 'capture point'
