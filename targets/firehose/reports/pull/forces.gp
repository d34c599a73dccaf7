# Force of the hose on the hand, and of the floor on each foot, over the whole time and over the last steps.
height = 520
eval start
q = 'quantities'
stats data index q using (column('speed_m_s') > 0.05 ? column('time_s') : NaN) nooutput
end_s = STATS_records > 0 ? STATS_max : to_s
set multiplot layout 3,1 margins 0.11, 0.97, 0.1, 0.94 spacing 0.09
eval shade
set xrange [from_s - t0:to_s - t0]; unset key; set ytics font ',10'
set ylabel 'hand [N]'; plot data index q using (since(column('time_s'))):'hand_n' with lines lc rgb red
set key above right maxrows 1
set ylabel 'feet [N]'
plot data index q using (since(column('time_s'))):'right_n' with lines lc rgb blue title 'right', '' index q using (since(column('time_s'))):'left_n' with lines lc rgb teal title 'left'
unset key
set xlabel x_label.', the last steps' offset 0,0.4
set xrange [(end_s - 5 > from_s ? end_s - 5 : from_s) - t0:(end_s + 1 < to_s ? end_s + 1 : to_s) - t0]
replot
unset multiplot
