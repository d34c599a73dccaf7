-- What was measured in each square: median, least and greatest value; and why some trials have none. What no trial has is named by
-- campaign.sql.
SELECT t.row_name, t.column_name, t.name, count(t.value) AS n, CASE WHEN count(t.value) THEN printf('%.4g', median(t.value)) ELSE '–' END AS middle,
       CASE WHEN count(t.value) THEN printf('%.4g', min(t.value)) ELSE '–' END AS least, CASE WHEN count(t.value) THEN printf('%.4g', max(t.value)) ELSE '–' END AS most,
       max(t.unit) AS unit, sum(t.reason <> '') AS missing,
       CASE WHEN sum(t.reason <> '') THEN sum(t.reason <> '') || ' without: ' || max(t.reason) ELSE '' END AS without
FROM told AS t WHERE t.text = '' AND t.name IN (SELECT name FROM told WHERE value IS NOT NULL) GROUP BY t.row_name, t.column_name, t.name ORDER BY min(t.position), t.number
