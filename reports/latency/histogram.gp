# Left: what the loops take beyond their plans; right: the target's hop beside the machine's.
# The bins of the query, again, for the empty ones; gnuplot counts their range from centre to centre.
stats data using 0 nooutput
blocks = STATS_blocks
width = 1120; height = 360
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
set ylabel 'share of the samples' offset 1,0
set multiplot
set tmargin at screen 0.78; set bmargin at screen 0.15
set lmargin at screen 0.075; set rmargin at screen 0.52
set key at screen 0.075, screen 0.985 left top maxrows 2 samplen 1.6 width 1
set xlabel 'loop beyond its plan [µs], by 20' offset 0,0.4; set xrange [-600:600]
plot for [i=1:loops] data index i-1 using 2:3 bins binrange [-590:590] binwidth=20 with histeps lw 1.5 lc rgb colour[(i-1)%6+1] title title_of[i]
unset ylabel
set lmargin at screen 0.585; set rmargin at screen 0.975
set key at screen 0.985, screen 0.985 right top
set xrange [0:120]; set xlabel 'µs, by 2' offset 0,0.4
plot for [i=loops+1:blocks] data index i-1 using 2:3 bins binrange [1:119] binwidth=2 with histeps lw 1.5 lc rgb (i == loops + 1 ? blue : i == loops + 2 ? amber : grey) title title_of[i]
unset multiplot
