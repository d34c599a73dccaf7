# One panel per component: the curve with its Wilson band, the share with the centre of mass outside, the trials as dots.
stats data using 0 nooutput
panels = (STATS_blocks + 1) / 2
width = 1120; height = 330
eval start
set label 1 'share that fell, 95 % Wilson band' at screen 0.055, screen 0.955 textcolor rgb red
set label 2 'share with the centre of mass outside the support polygon' at screen 0.33, screen 0.955 textcolor rgb blue
set label 3 'dots: trials, at 1 fell, at 0 stood' at screen 0.99, screen 0.955 right textcolor rgb 'black'
set multiplot layout 1,panels margins 0.055,0.99,0.17,0.80 spacing 0.035,0
set xrange [0:1]; set yrange [-0.06:1.06]; set ytics 0,0.25,1
set xlabel 'gait phase at the fault' offset 0,0.4
unset key
do for [i=0:panels-1] {
    stats data index 2*i using (title_of = strcol(1), 0) nooutput
    set title title_of offset 0,-0.6
    if (i == 0) { set ylabel 'share of trials' offset 1.5,0 } else { unset ylabel; set format y ''; unset label }
    plot data index 2*i using 2:4:5 with filledcurves fc rgb red, \
         data index 2*i using 2:6 with lines lc rgb blue lw 1.6 dt (5,3), \
         data index 2*i using 2:3 with lines lc rgb red lw 2.2, \
         data index 2*i+1 using 2:($3 > 0.5 ? 1.0 : NaN) with points pt 7 ps 0.45 lc rgb red, \
         data index 2*i+1 using 2:($3 < 0.5 ? 0.0 : NaN) with points pt 7 ps 0.45 lc rgb 'black'
}
unset multiplot
