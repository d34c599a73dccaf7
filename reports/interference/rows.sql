-- One row per load: what was missed while it lasted, median of the runs with the least and the most, in per cent.
WITH share AS (
    SELECT f.position, o.place, median(f.value) AS middle, min(f.value) AS low, max(f.value) AS high
    FROM figure_view AS f JOIN chosen USING (campaign_id) JOIN owed AS o ON f.metric = 'during ' || o.who || ' missed'
    GROUP BY f.position, o.place),
expected AS (
    SELECT f.position, o.place, median(f.value) AS value
    FROM figure_view AS f JOIN chosen USING (campaign_id) JOIN owed AS o ON f.metric = 'during ' || o.who || ' expected'
    GROUP BY f.position, o.place),
word AS (
    SELECT s.position, s.place,
           decimal(s.middle, 1) || CASE WHEN s.high > s.low THEN ' [' || decimal(s.low, 1) || ', ' || decimal(s.high, 1) || ']' ELSE '' END
           || CASE WHEN e.value IS NULL THEN '' ELSE ' · ' || decimal(e.value, 0) END AS text,
           CASE WHEN s.middle >= 1 THEN 'bad' ELSE 'good' END AS tone
    FROM share AS s LEFT JOIN expected AS e USING (position, place))
SELECT f.position, f.cell,
       max(CASE w.place WHEN 1 THEN w.text END) AS state, max(CASE w.place WHEN 1 THEN w.tone END) AS state_tone,
       max(CASE w.place WHEN 2 THEN w.text END) AS command, max(CASE w.place WHEN 2 THEN w.tone END) AS command_tone,
       max(CASE w.place WHEN 3 THEN w.text END) AS reference, max(CASE w.place WHEN 3 THEN w.tone END) AS reference_tone,
       max(CASE w.place WHEN 4 THEN w.text END) AS send, max(CASE w.place WHEN 4 THEN w.tone END) AS send_tone,
       (SELECT decimal(median(value) / 1000, 2) FROM figure_view WHERE campaign_id = f.campaign_id AND position = f.position AND metric = 'during loop median') AS loop_median,
       (SELECT decimal(median(value) / 1000, 2) FROM figure_view WHERE campaign_id = f.campaign_id AND position = f.position AND metric = 'during loop p99') AS loop_p99,
       (SELECT decimal(median(value) / 1000, 2) FROM figure_view WHERE campaign_id = f.campaign_id AND position = f.position AND metric = 'before loop p99') AS before_p99,
       (SELECT decimal(sum(value), 0) FROM figure_view WHERE campaign_id = f.campaign_id AND position = f.position AND metric LIKE '% states in stalls of the machine') AS stalled
FROM (SELECT DISTINCT campaign_id, position, cell FROM figure_view JOIN chosen USING (campaign_id)) AS f JOIN word AS w USING (position)
GROUP BY f.position ORDER BY f.position
