# Height and tilt of the pelvis; the lines at which the robot counts as fallen are the classifier's.
eval start; eval time_axis; eval shade
set border 11
set ylabel 'pelvis height [m]' offset 1.5,0 textcolor rgb blue
set y2label 'tilt [deg]' offset -1,0 textcolor rgb red
set yrange [0:1e-6<*]; set y2range [0:100]; set ytics nomirror; set y2tics 0,30 nomirror
plot data index 0 using (since($1)):"pelvis_m" with lines lc rgb blue lw 2 title 'height', \
     data index 0 using (since($1)):"tilt_deg" axes x1y2 with lines lc rgb red lw 2 title 'tilt', \
     45 axes x1y2 with lines lc rgb red lw 0.7 dt (4,4) title '45°, fallen'
