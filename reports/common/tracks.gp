# The tracks of a trial, one below the other, each with an axis of its own.
stats data index 0 skip 1 using 1 nooutput
tracks = STATS_columns - 1
height = 60 + 160 * tracks
eval start; eval time_axis; eval shade
array colour[5] = [blue, teal, amber, red, violet]
set key above right samplen 1 noenhanced
set offsets 0, 0, graph 0.06, graph 0.06
set ytics font ',11'
set lmargin 10
set multiplot layout tracks,1
do for [i=2:tracks+1] {
    if (i <= tracks) { unset xlabel } else { set xlabel x_label offset 0,0.4 }
    undefine STATS_*
    stats data index 0 skip 1 using 1:i nooutput
    known = exists("STATS_min_y")
    set yrange [*:*]
    if (known) { if (STATS_min_y == STATS_max_y) { set yrange [STATS_min_y-1:STATS_max_y+1] } } else { set yrange [-1:1] }
    if (!known) { set label 9 'nothing to show' at graph 0.5, graph 0.5 center textcolor rgb grey } else { unset label 9 }
    plot data index 0 using (since($1)):(column(i)) with lines lc rgb colour[(i-2) % 5 + 1] lw 1.8 title columnheader(i)
}
unset multiplot
