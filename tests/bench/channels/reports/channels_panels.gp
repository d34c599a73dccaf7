# Shared by the plots of the channels: panels (blocks of `data`) from left to right by size, from top to bottom by number of cores.
# Columns 1 to 3 of the data: title, mechanism, its row; `sizes` is column 8, the mechanism's kind 9.
stats data using 0 nooutput
panels = STATS_blocks
stats data using 8 nooutput
sizes = int(STATS_max)
ours = ''
stats data using (ours = strcol(9) eq 'ours' ? ours.sprintf(' %d', $3) : ours, $3) nooutput
stats data using 3 nooutput
lines = int((panels + sizes - 1) / sizes)
tall = 21 * (STATS_max - STATS_min + 1.4)
width = 1120; height = 92 + (tall + 30) * lines
across = 0.88 / sizes
set yrange [STATS_min - 0.7:STATS_max + 0.7]
place = 'set lmargin at screen 0.105 + (i % sizes) * across; set rmargin at screen 0.105 + (i % sizes + 1) * across - 0.014; '. \
    'set tmargin at screen 1 - (56.0 + (i / sizes) * (tall + 30)) / height; set bmargin at screen 1 - (56.0 + (i / sizes) * (tall + 30) + tall) / height; '. \
    'stats data index i using (title_of = strcol(1), $3) nooutput; set title title_of offset 0,-0.9; '. \
    'if (i / sizes == lines - 1) { set format x "%g"; set xlabel x_label offset 0,0.5 } else { set format x ""; unset xlabel }; '. \
    'if (i == 1) { unset label }'
# The legend: its four words, from the left.
legend = 'do for [k=1:4] { set label k shown[k] at screen 0.11 + 0.15 * (k - 1), screen 1 - 14.0 / height left offset 0.6,0 point pt 7 ps 0.6 lc rgb shade[k] }'
unset key
do for [r in ours] { set object int(r) + 0 rectangle from graph 0, first r - 0.5 to graph 1, first r + 0.5 fc rgb blue fs solid 0.13 noborder behind }
unset ytics
set grid xtics noytics
set logscale x
