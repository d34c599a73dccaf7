width = 1120; height = 260
eval start
set xrange [0:5000]; set yrange [4.6:0.4]; set xlabel 'time in the cycle [us]'; unset key
set style fill solid 0.7 noborder
plot data using 3:2:3:4:($2 - 0.3):($2 + 0.3):ytic(5) with boxxyerror lc rgb teal
