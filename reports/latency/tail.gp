# Left: the loops of all configurations, right: the target's hop beside the machine's; the share that takes longer, log scale.
stats data using 0 nooutput
blocks = STATS_blocks
width = 1120; height = 400
eval start
array of_loop[blocks]; array title_of[blocks]
do for [i=0:blocks-1] {
    stats data index i using (whole = strcol(1), 0) nooutput
    bar = strstrt(whole, '|')
    title_of[i+1] = whole[1:bar-1]; of_loop[i+1] = whole[bar+1:*] eq 'loop'
}
loops = sum [i=1:blocks] of_loop[i]
array colour[6] = [blue, teal, amber, violet, '#7a5230', grey] # red is the bound's
set logscale y; set yrange [1e-4:1]; set format y '10^{%L}'
set ylabel 'share that takes longer' offset 1,0
set multiplot
set tmargin at screen 0.80; set bmargin at screen 0.14
set lmargin at screen 0.075; set rmargin at screen 0.52
set key at screen 0.075, screen 0.985 left top maxrows 2 samplen 1.6 width 1
set xlabel 'loop, in periods' offset 0,0.4; set xrange [0:*]
set arrow 1 from 2, graph 0 to 2, graph 1 nohead lc rgb red lw 1.4 dt (6,4)
set label 1 'two periods' at 2, graph 0.95 left offset 0.7,0 textcolor rgb red
plot for [i=1:loops] data index i-1 using 3:2 with steps lc rgb colour[(i-1)%6+1] lw 2 title title_of[i]
unset arrow 1; unset label 1; unset ylabel
set lmargin at screen 0.585; set rmargin at screen 0.975
set key at screen 0.985, screen 0.985 right top
set logscale x; set xrange [*:*]; set format x '%g'
set xlabel 'µs' offset 0,0.4
plot for [i=loops+1:blocks] data index i-1 using 3:2 with steps lc rgb (i == loops + 1 ? blue : i == loops + 2 ? amber : grey) lw 2 title title_of[i]
unset multiplot
