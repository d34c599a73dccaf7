-- A block per size and number of cores: median and p99 of every mechanism with one reader (or the fewest that were measured).
SELECT panel AS block, name, dense_rank() OVER (ORDER BY place DESC) AS row, median_us, p99_us, readers, one_core, sizes, kind
FROM plotted WHERE readers = (SELECT min(readers) FROM plotted) ORDER BY one_core, place_of_size, place
