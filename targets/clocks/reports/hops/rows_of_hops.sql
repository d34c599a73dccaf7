SELECT column_name, hop, count(*) AS n, decimal(median(rms_us), 2) AS middle, decimal(max(rms_us), 2) AS worst
FROM hop GROUP BY column_name, hop ORDER BY column_name, hop
