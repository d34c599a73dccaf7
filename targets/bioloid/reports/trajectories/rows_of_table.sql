SELECT p.column_name AS method, decimal(p.tm, 4) AS tm, decimal(p.wm, 3) AS wm, decimal(max(abs(p.a1), abs(p.a2)), 2) AS a_max,
       decimal(p.paper_mJ, 4) AS paper_mJ, decimal(100 * (p.paper_mJ / (SELECT min(paper_mJ) FROM planned) - 1), 2) AS percent,
       decimal(p.copper, 1) AS copper, decimal(p.battery_J, 3) AS battery_J,
       r.tm AS tm_printed, r.wm AS wm_printed, r.a_max AS a_printed, r.paper_mJ AS paper_printed, r.percent AS percent_printed
FROM planned AS p LEFT JOIN printed AS r ON r.scenario = p.scenario ORDER BY p.number
