SELECT row_name, column_name, count(*) AS n, iif(min(cycles) < 0, 'counts anew', decimal(median(cycles), 0)) AS cycles,
       iif(min(cycles) < 0, '', decimal(min(cycles), 0)) AS least, iif(min(cycles) < 0, '', decimal(median(missed), 0)) AS missed,
       iif(min(cycles) < 0, '', decimal(max(missed), 0)) AS most
FROM line WHERE cycles IS NOT NULL GROUP BY position, column_name ORDER BY position, column_name
