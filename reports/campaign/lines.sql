-- Row :row_name as lines of text: verdicts, then what was said.
SELECT line AS line_number, iif(line = 1, :row_name, '') AS head FROM (
    SELECT 1 AS line UNION SELECT DISTINCT 1 + row_number() OVER (PARTITION BY column_name ORDER BY number, rank) FROM said WHERE row_name = :row_name)
ORDER BY line
