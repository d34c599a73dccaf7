-- What the page of the benchmark `ethernet` starts from: figures by period and size, as the paper's Figs 8 and 9 have them.
CREATE TEMP TABLE middle AS -- over the runs
SELECT position, square, metric, median(value) AS value, max(value) AS most
FROM figure_view JOIN chosen USING (campaign_id) GROUP BY position, metric;
CREATE TEMP TABLE point AS
SELECT position, metric, value, most, square LIKE 'board, %' AS board, CAST(replace(square, 'board, ', '') AS INTEGER) AS period_us,
       CAST(substr(replace(square, 'board, ', ''), instr(replace(square, 'board, ', ''), ', ') + 2) AS INTEGER) AS size_B
FROM middle WHERE square LIKE '%us, % B';
