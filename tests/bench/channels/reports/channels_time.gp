# A panel per size and number of cores, a row per mechanism: a dot at the median, a thin line to p99.
load templates.'/channels_panels.gp'
eval start
x_label = 'µs'
array kind_of[4] = ['limit', 'ours', 'kernel', 'peer']; array shade[4] = [grey, blue, teal, amber]
array shown[4] = ['the limits', 'ours', 'the kernel''s', 'publish/subscribe']
set xrange [0.05:1000]; set xtics (0.1, 1, 10, 100)
eval legend
set multiplot
do for [i=0:panels-1] {
    eval place
    plot for [k=1:4] data index i using (strcol(9) eq kind_of[k] ? $4 : NaN):3:($5 - $4):(0) with vectors nohead lc rgb shade[k] lw 1.6, \
         for [k=1:4] data index i using (strcol(9) eq kind_of[k] ? $4 : NaN):3 with points pt 7 ps 0.5 lc rgb shade[k], \
         for [only=1:(i % sizes == 0)] data index i using (0.05):3:2 with labels right offset -1,0
}
unset multiplot
