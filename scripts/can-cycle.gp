# data, out: set by scripts/can-cycle. One panel over a cycle's time: per bus a lane for the host's frames and one for the boards'.
stats data index 0 using 2 nooutput; length_ms = STATS_max
stats data index 0 using 3 nooutput; state_ms = STATS_max
stats data index 0 using 4 nooutput; reference_ms = STATS_max
stats data index 1 using ($1 == 0 ? $4 : NaN) nooutput; done0_ms = STATS_max
stats data index 1 using ($1 == 1 ? $4 : NaN) nooutput; done1_ms = STATS_max

amber = '#d9902f'; blue = '#3b82b5'; teal = '#2a9d8f'; red = '#cf4a3f'; ink = '#30363c'; grey = '#8b929a'
set terminal svg size 1120,340 dynamic background rgb 'white' font 'sans-serif,14'
set output out
set encoding utf8
set border 1 lc rgb grey
set tics nomirror scale 0.5 textcolor rgb ink
set lmargin 16; set rmargin 3; set tmargin 3.6; set bmargin 4.2
set xrange [0:length_ms]; set yrange [-0.6:4.1]
set xtics 1 format '%g'
set label 12 'time since the start of the cycle [ms]' at graph 0, screen 0.075 left textcolor rgb ink
unset ytics
set grid xtics lc rgb '#d5d9dd' lw 0.5 lt 1
lane(bus, kind) = bus == 0 ? (kind == 2 ? 2.2 : 3.2) : (kind == 2 ? 0 : 1)
set label 1 'bus 0' at screen 0.012, first 2.7 textcolor rgb ink font 'sans-serif bold,15'
set label 2 'bus 1' at screen 0.012, first 0.5 textcolor rgb ink font 'sans-serif bold,15'
set label 3 'host' at graph -0.012, first 3.2 right textcolor rgb ink
set label 4 'boards' at graph -0.012, first 2.2 right textcolor rgb ink
set label 5 'host' at graph -0.012, first 1 right textcolor rgb ink
set label 6 'boards' at graph -0.012, first 0 right textcolor rgb ink

mark(t) = sprintf('%.1f ms', t)
set arrow 1 from 0, graph 0 to 0, graph 1.17 nohead lc rgb ink lw 1.4
set arrow 2 from state_ms, graph 0 to state_ms, graph 1.17 nohead lc rgb ink lw 1.3 dashtype 2
set arrow 3 from reference_ms, graph 0 to reference_ms, graph 1.17 nohead lc rgb ink lw 1.3 dashtype 2
set label 7 "0 ms: Hardware queues\nreferences and requests" at 0.08, graph 1.13 left textcolor rgb ink
set label 8 mark(state_ms).": Hardware drains the\nreplies, publishes the state" at state_ms - 0.08, graph 1.13 right textcolor rgb ink
set label 9 mark(reference_ms).": Control publishes\nthe next reference" at reference_ms + 0.08, graph 1.13 left textcolor rgb ink
set label 10 sprintf('last reply ends at %.2f ms', done0_ms) at done0_ms + 0.12, first 2.7 left textcolor rgb grey
set label 11 sprintf('last reply ends at %.2f ms', done1_ms) at done1_ms + 0.12, first 0.5 left textcolor rgb grey

set key at screen 0.985, screen 0.075 right center horizontal samplen 1.4 width 1 reverse Left textcolor rgb ink
set style fill solid 1 border rgb 'white'
plot for [k=0:2] data index 1 using ($2 == k ? ($3 + $4) / 2 : NaN):(lane($1, $2)):3:4:(lane($1, $2) - 0.38):(lane($1, $2) + 0.38) \
        with boxxyerror lw 0.7 lc rgb word(amber.' '.blue.' '.teal, k + 1) title word('reference request reply', k + 1), \
     data index 1 using ($2 == 3 ? ($3 + $4) / 2 : NaN):(lane($1, $2)):3:4:(lane($1, $2) - 0.38):(lane($1, $2) + 0.38) \
        with boxxyerror lw 0.7 lc rgb red notitle
