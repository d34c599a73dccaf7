-- One row per load: the loop meanwhile and before, and what is left out.
SELECT DISTINCT s.position, s.square,
       (SELECT decimal(median(value) / 1000, 2) FROM figure_view AS f JOIN chosen USING (campaign_id) WHERE f.position = s.position AND metric = 'during loop median') AS loop_median,
       (SELECT decimal(median(value) / 1000, 2) FROM figure_view AS f JOIN chosen USING (campaign_id) WHERE f.position = s.position AND metric = 'during loop p99') AS loop_p99,
       (SELECT decimal(median(value) / 1000, 2) FROM figure_view AS f JOIN chosen USING (campaign_id) WHERE f.position = s.position AND metric = 'before loop p99') AS before_p99,
       (SELECT decimal(sum(value), 0) FROM figure_view AS f JOIN chosen USING (campaign_id) WHERE f.position = s.position AND metric LIKE '% states in stalls of the machine') AS stalled
FROM share AS s ORDER BY s.position
