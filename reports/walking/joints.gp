# Set points (what the motor boards track, thin) and positions of the joints that move most.
eval start; eval time_axis; eval shade
set ylabel 'joint angle [deg]' offset 1.2,0
array colour[5] = [blue, teal, amber, red, violet]
plot for [i=1:5] data index 0 using (since($1)):(column(2*i+1)) with lines lc rgb colour[i] lw 1.8 title columnheader(2*i+1), \
     for [i=1:5] data index 0 using (since($1)):(column(2*i)) with lines lc rgb 'black' lw 0.7 dt (3,2) \
         title (i == 1 ? 'set points' : '')
