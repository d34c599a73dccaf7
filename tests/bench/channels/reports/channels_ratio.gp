# A panel per size and number of cores, a row per mechanism, a dot per number of readers: how many times what the limit takes. A thin line goes
# from the least to the most of the runs, if there are several.
load templates.'/channels_panels.gp'
eval start
x_label = 'times the bare futex'
array count_of[4] = [1, 2, 4, 8]; array shade[4] = [blue, teal, amber, violet]
array shown[4] = ['1 reader', '2 readers', '4 readers', '8 readers']
set xrange [0.5:20]; set xtics (1, 2, 5, 10)
set arrow 1 from 1, graph 0 to 1, graph 1 nohead lc rgb red lw 1.2 dt (6,4) back
eval legend
set multiplot
do for [i=0:panels-1] {
    eval place
    plot for [r=1:4] data index i using ($4 == count_of[r] && $7 > $6 ? $6 : NaN):($3 + 0.5 - 0.2 * r):($7 - $6):(0) with vectors nohead lc rgb shade[r] lw 1.2, \
         for [r=1:4] data index i using ($4 == count_of[r] ? $5 : NaN):($3 + 0.5 - 0.2 * r) with points pt 7 ps 0.5 lc rgb shade[r], \
         for [only=1:(i % sizes == 0)] data index i using ($10 > 0 ? 0.5 : NaN):3:2 with labels right offset -1,0
}
unset multiplot
