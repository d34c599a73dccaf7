-- Squares whose share of failures, or of a text that is observed, lies outside of the 95 % interval of before.
WITH fact AS (
    SELECT tonight, campaign, row_name, column_name, trial_id, 'fails' AS what, verdict = 'FAIL' AS hit FROM (SELECT * FROM ran WHERE tonight)
    WHERE verdict IN ('PASS', 'FAIL')
    UNION ALL
    SELECT tonight, campaign, row_name, column_name, trial_id, 'fails', verdict = 'FAIL' FROM before WHERE verdict IN ('PASS', 'FAIL')
), text AS (
    SELECT r.tonight, r.campaign, r.row_name, r.column_name, o.name, o.text
    FROM (SELECT tonight, campaign, row_name, column_name, judging_id, verdict FROM ran WHERE tonight
          UNION ALL SELECT tonight, campaign, row_name, column_name, judging_id, verdict FROM before) AS r
    JOIN observation AS o USING (judging_id) WHERE o.text <> '' AND r.verdict IN ('PASS', 'FAIL')
), share AS (
    SELECT campaign, row_name, column_name, what, sum(tonight AND hit) AS k, sum(tonight) AS n, sum(NOT tonight AND hit) AS k_before, sum(NOT tonight) AS n_before
    FROM fact GROUP BY campaign, row_name, column_name, what
    UNION ALL
    SELECT x.campaign, x.row_name, x.column_name, x.name || ': ' || x.text, sum(t.tonight AND t.text = x.text), sum(t.tonight), sum(NOT t.tonight AND t.text = x.text), sum(NOT t.tonight)
    FROM (SELECT DISTINCT campaign, row_name, column_name, name, text FROM text) AS x
    JOIN text AS t ON t.campaign = x.campaign AND t.row_name = x.row_name AND t.column_name = x.column_name AND t.name = x.name
    GROUP BY x.campaign, x.row_name, x.column_name, x.name, x.text
)
SELECT campaign, row_name || iif(column_name = '', '', ', ' || column_name) AS square, what, k, n, k_before, n_before,
       decimal(100 * wilson_low(k_before, n_before), 0) AS low, decimal(100 * wilson_high(k_before, n_before), 0) AS high,
       decimal(100.0 * k / n, 0) AS now_percent, decimal(100.0 * k_before / n_before, 0) AS before_percent,
       CASE WHEN what <> 'fails' THEN '' WHEN 1.0 * k / n > wilson_high(k_before, n_before) THEN 'bad' ELSE 'good' END AS tone
FROM share WHERE n > 0 AND n_before > 0
  AND (1.0 * k / n < wilson_low(k_before, n_before) OR 1.0 * k / n > wilson_high(k_before, n_before)) ORDER BY campaign, square, what = 'fails' DESC, what
