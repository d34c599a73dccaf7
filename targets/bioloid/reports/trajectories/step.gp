# Fig. 7: the step of 50 degrees. Points are samples at 30 Hz, of which the paper took differences; between the tracks' rows lies Hermite's cubic.
height = 560
eval start
stats data index 0 using (column('time_s')) nooutput
n = STATS_records
array T[n]; array Q[n]; array W[n]
stats data index 0 using (T[int($0)+1] = column('time_s'), Q[int($0)+1] = column('neck_deg'), W[int($0)+1] = column('neck_deg_s'), 0) nooutput
stats data index 0 using (column('neck_goal_deg') < 25 ? column('time_s') : NaN) nooutput
jump = STATS_max
h = T[2] - T[1]
row(t) = int((t - T[1]) / h) + 1
cubic(u, a, b, c, d) = a + u*c + u*u*(3*(b - a) - 2*c - d) + u*u*u*(2*(a - b) + c + d)
angle(t) = cubic((t - T[row(t)]) / h, Q[row(t)], Q[row(t)+1], W[row(t)] * h, W[row(t)+1] * h)
p = 1.0 / 30
set print $samples
do for [k=0:24] { t = jump - 2 * p + k * p
    print sprintf('%.5f %.5f %.5f %.5f', t - jump, angle(t), (angle(t) - angle(t - p)) / p, (angle(t) - 2*angle(t - p) + angle(t - 2*p)) / p / p) }
set print
set datafile separator whitespace
set multiplot layout 3,1 margins 0.11, 0.97, 0.09, 0.95 spacing 0.05
set xrange [-0.1:0.7]; set format x ''; unset key; set ytics font ',10'; set offsets 0, 0, graph 0.06, graph 0.06
set ylabel 'angle [°]'; plot $samples using 1:2 with linespoints pt 7 ps 0.5 lc rgb blue
set ylabel 'first difference [°/s]'; set arrow 1 from graph 0, first 281 to graph 1, first 281 nohead lc rgb amber
plot $samples using 1:3 with linespoints pt 7 ps 0.5 lc rgb blue
set format x; set xlabel 'time after the command [s]' offset 0,0.4
set ylabel 'second difference [°/s²]'; set arrow 1 from graph 0, first 1400 to graph 1, first 1400 nohead lc rgb amber
plot $samples using 1:4 with linespoints pt 7 ps 0.5 lc rgb blue
unset multiplot
