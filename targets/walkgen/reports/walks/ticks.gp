# What ticks took, in bins of 10 us: a tick in four is drawn.
height = 260
eval start
set margins 9, 3, 3.5, 2
q = 'quantities'; width_us = 10.0
set xrange [0:1000]; set yrange [0.5:*]; set logscale y; set xlabel 'from when a tick was due to its end [us]; the budget is 5000 us' offset 0,0.4; set ylabel 'ticks'; set key above right maxrows 1
set style fill solid 0.8; set boxwidth width_us
bin(us) = width_us * (floor((us < 995 ? us : 995) / width_us) + 0.5)
plot data index q using (bin(column('tick_us'))):(1.0) smooth frequency with boxes lc rgb blue title 'with waiting', \
     '' index q using (bin(column('work_us'))):(1.0) smooth frequency with boxes lc rgb amber title 'its own work'
