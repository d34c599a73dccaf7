# Seen from above: the paths of centre of mass and feet, and the support polygon as the fault struck.
eval start
set size ratio -1
set xlabel 'forward [m]' offset 0,0.4; set ylabel 'left [m]' offset 1.2,0
set offsets 0.08, 0.08, 0.08, 0.08
set style fill solid 0.22 border
plot data index 1 using 1:2 with filledcurves closed fc rgb grey title 'support at the fault', \
     data index 0 using "right_x_m":"right_y_m" with lines lc rgb teal lw 1.2 title 'right foot', \
     data index 0 using "left_x_m":"left_y_m" with lines lc rgb violet lw 1.2 title 'left foot', \
     data index 0 using "com_x_m":"com_y_m" with lines lc rgb blue lw 2 title 'CoM', \
     data index 2 using 1:2 every ::0::0 with points pt 7 ps 0.8 lc rgb blue title 'CoM at the fault', \
     data index 2 using 1:2 every ::1::1 with points pt 2 ps 0.9 lw 2 lc rgb amber title 'capture point'
