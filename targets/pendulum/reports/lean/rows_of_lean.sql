SELECT row_name, count(*) AS n, decimal(median(lean_rad), 4) AS middle, decimal(max(lean_rad), 4) AS most FROM leant GROUP BY row_name ORDER BY row_name
