# Block by block: a column of the campaign.
height = 300
eval start
stats data using 0 nooutput
blocks = STATS_blocks
array colour[5] = [blue, red, teal, amber, violet]
array title_of[blocks]
do for [i=1:blocks] { stats data index i-1 using (title_of[i] = strcol(1), 0) nooutput }
set xlabel 'pulled with [N]'; set ylabel 'fell [%]'
set xrange [0:1e-6<*]; set yrange [-14:115]; set ytics 25; set offsets 0, graph 0.05, 0, 0; set key above left maxrows 1
plot for [i=1:blocks] data index i-1 using 2:3 with linespoints pt 7 ps 0.7 lc rgb colour[(i - 1) % 5 + 1] title title_of[i], \
     for [i=1:blocks] data index i-1 using 2:3:4 with labels offset 0,(i % 2 ? -0.8 : 0.8) font ',10' notitle
