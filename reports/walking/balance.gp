# Signed distance of centre of mass and capture point to the edge of the support polygon; negative is outside.
eval start; eval time_axis; eval shade
set ylabel 'distance to the edge of support [mm]' offset 1.2,0
set yrange [-200:*]
set object 2 rectangle from graph 0, first -200 to graph 1, first 0 fc rgb grey fs solid 0.10 noborder behind
set label 2 'outside' at graph 0.985, first -185 right textcolor rgb grey
set label 3 'inside' at graph 0.985, first 12 right textcolor rgb grey
plot data index 0 using (since($1)):"capture_margin_mm" with lines lc rgb amber lw 1.3 title 'capture point', \
     data index 0 using (since($1)):"com_margin_mm" with lines lc rgb blue lw 2.2 title 'centre of mass', \
     0 with lines lc rgb 'black' lw 0.8 notitle
