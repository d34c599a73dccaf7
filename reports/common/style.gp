# Shared look of all plots. The engine sets data, name, from_s, to_s, fault_s (NaN: none), repair_s, fault_colour.
# Black is the page's ink (the page maps it), all other colours read well on light and on dark ground.
width = 620; height = 300
blue = '#3b82b5'; amber = '#d9902f'; teal = '#2a9d8f'; red = '#cf4a3f'; violet = '#8d6cc0'; grey = '#8b929a'
start = 'set terminal svg size width,height dynamic font "sans-serif,13" name name'
set border 3 lc rgb grey lw 1
set tics nomirror scale 0.5
set grid lc rgb grey lw 0.4 dt (2,5)
set key above right samplen 1.6 spacing 1.1 maxrows 2
set datafile separator "\t"
set encoding utf8
set style fill solid 0.16 noborder

# Time axis from the fault, the fault's window shaded.
struck = fault_s == fault_s
t0 = struck ? fault_s : 0
since(t) = t - t0
x_label = struck ? 'time after the fault [s]' : 'time [s]'
shade = struck ? 'set object 1 rectangle from 0, graph 0 to repair_s - t0, graph 1 fc rgb fault_colour fs solid 0.13 noborder behind; '. \
    'set arrow 1 from 0, graph 0 to 0, graph 1 nohead lc rgb fault_colour lw 1.6' : ''
time_axis = 'set xrange [from_s - t0:to_s - t0]; set xlabel x_label offset 0,0.4'
