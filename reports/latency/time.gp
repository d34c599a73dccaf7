# The loop over time, a panel per configuration, with the line of its bound; instants hit by a stall of the machine are crosses.
stats data using 0 nooutput
panels = STATS_blocks
width = 1120; height = 70 + 130 * panels
eval start
unset key
set multiplot
set lmargin at screen 0.075; set rmargin at screen 0.98
stats data using 2 nooutput
from = STATS_min; to = STATS_max
do for [i=0:panels-1] {
    set autoscale x; stats data index i using (title_of = strcol(1), bound = $5, said = strcol(8), period = $6, top = $7, $2) nooutput; set xrange [from:to]
    set tmargin at screen 1 - (26.0 + 130 * i) / height
    set bmargin at screen 1 - (26.0 + 130 * i + 96) / height
    set title title_of.' (every '.sprintf('%g', period).' ms)' offset 0,-0.9
    set yrange [0:top]; set ytics 0, (top > 3 * bound ? bound : bound / 2) format '%g'
    set ylabel 'chain [ms]' offset 0.5,0
    if (i == panels - 1) { set xlabel 'time in the trial [s]' offset 0,0.4; set format x '%g' } else { unset xlabel; set format x '' }
    set label 1 said at graph 0.005, first bound left offset 0,0.5 textcolor rgb red
    plot bound with lines lc rgb red lw 1.4 dt (6,4), \
         data index i using 2:($4 < 0.5 ? $3 : NaN) with points pt 7 ps 0.22 lc rgb blue, \
         data index i using 2:($4 > 0.5 ? $3 : NaN) with points pt 2 ps 0.5 lc rgb amber
}
unset multiplot
