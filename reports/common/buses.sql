-- What the buses carried over all trials of the campaign; the account is the simulated robot's, which owns the buses.
SELECT printf('can%d', b.bus) AS bus, count(*) AS n, decimal(100 * avg(b.load_mean), 1) AS mean, decimal(100 * max(b.load_peak), 1) AS peak,
       sum(b.frames) AS frames, sum(b.error_frames) AS error_frames, sum(b.incomplete) AS incomplete, sum(b.states) AS states
FROM trial_view AS t JOIN bus_load AS b USING (trial_id) WHERE t.campaign_id = (SELECT campaign_id FROM chosen)
GROUP BY b.bus ORDER BY b.bus
