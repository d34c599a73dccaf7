-- The promises and oracles of each square that have a margin: the least one, in which trial.
SELECT m.row_name, m.column_name, m.oracle, printf('%+.3g', m.margin) AS margin, m.unit, m.trial_id, m.detail, m.judged,
       iif(m.failed OR m.errors, 'bad', 'good') AS tone, iif(m.failed, m.failed || ' FAIL', '') AS failed_words
FROM worst_margin AS m JOIN square AS s ON s.campaign_id = m.campaign_id AND s.row_name = m.row_name AND s.column_name = m.column_name
WHERE m.margin IS NOT NULL AND EXISTS (SELECT 1 FROM told WHERE told.row_name = m.row_name) ORDER BY s.position, m.failed = 0, m.oracle
