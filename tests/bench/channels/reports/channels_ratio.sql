-- A block per size and number of cores: of every mechanism the ratio to the limit, for each number of readers.
SELECT panel AS block, name, dense_rank() OVER (ORDER BY place DESC) AS row, readers, ratio, ratio_least, ratio_most, sizes, kind,
       readers = (SELECT min(readers) FROM plotted) AS named
FROM plotted WHERE ratio IS NOT NULL ORDER BY one_core, place_of_size, place, readers
