# Block by block: the floor's friction. A point is a column of the campaign.
height = 340
eval start
stats data using 0 nooutput
blocks = STATS_blocks
array colour[5] = [blue, teal, amber, red, violet]
array title_of[blocks]
do for [i=1:blocks] { stats data index i-1 using (title_of[i] = strcol(1), 0) nooutput }
set xlabel 'mass of the hose [kg]'; set ylabel 'turned to the left [°]'
set nonlinear y via asinh(y) inverse sinh(y); set ytics (0, 1, 2, 5, 10, 20, 50, 100) # both a degree and forty are seen
set xrange [0:1e-6<*]; set yrange [0:1e-6<*]; set offsets 0, graph 0.15, graph 0.05, 0; set key above left maxrows 1
plot for [i=1:blocks] data index i-1 using 2:3 with points pt 7 ps 0.7 lc rgb colour[(i - 1) % 5 + 1] title title_of[i], \
     for [i=1:blocks] data index i-1 using 2:3:(int($0) % 2 ? '' : strcol(4)) with labels left offset 0.8,0 font ',10' notitle, \
     for [i=1:blocks] data index i-1 using 2:3:(int($0) % 2 ? strcol(4) : '') with labels right offset -0.8,0 font ',10' notitle
