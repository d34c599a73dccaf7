# From the side: legs as sticks every 0.2 s, the ways of the soles, and the box.
height = 420
eval start
q = 'quantities'
stats data index q using 'box_ahead_m' nooutput
x = STATS_max
stats data index q using 'box_depth_m' nooutput
half = STATS_max / 2
stats data index q using 'box_height_m' nooutput
set object 1 rectangle from x - half, 0 to x + half, STATS_max fc rgb '#b08050' fs solid 0.7 noborder front
set xlabel 'ahead [m]'; set ylabel 'up [m]'; set key outside above left maxrows 1 samplen 2
set size ratio -1; set xrange [(x < 0.5 ? x - 0.65 : -0.15):x + 0.65]; set yrange [0:0.72]
d(a, b) = column(b) - column(a)
plot data index q every 10 using 'right_hip_x_m':'right_hip_z_m':(d('right_hip_x_m', 'right_knee_x_m')):(d('right_hip_z_m', 'right_knee_z_m')) with vectors nohead lw 0.7 lc rgb blue notitle, \
     '' index q every 10 using 'right_knee_x_m':'right_knee_z_m':(d('right_knee_x_m', 'right_ankle_x_m')):(d('right_knee_z_m', 'right_ankle_z_m')) with vectors nohead lw 0.7 lc rgb blue title 'right leg', \
     '' index q every 10 using 'left_hip_x_m':'left_hip_z_m':(d('left_hip_x_m', 'left_knee_x_m')):(d('left_hip_z_m', 'left_knee_z_m')) with vectors nohead lw 0.7 lc rgb teal notitle, \
     '' index q every 10 using 'left_knee_x_m':'left_knee_z_m':(d('left_knee_x_m', 'left_ankle_x_m')):(d('left_knee_z_m', 'left_ankle_z_m')) with vectors nohead lw 0.7 lc rgb teal title 'left leg', \
     '' index q using 'right_sole_x_m':'right_sole_z_m' with lines lw 2 lc rgb red title 'right sole', \
     '' index q using 'left_sole_x_m':'left_sole_z_m' with lines lw 2 lc rgb amber title 'left sole'
