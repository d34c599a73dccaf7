-- The chosen benchmark in one row.
SELECT *, plural(runs, 'run') AS runs_word FROM (
SELECT strftime('%Y-%m-%d %H:%M', p.started_utc) AS started, p.campaign_id, p.target, b.lab_revision, b.compiler, m.cpu_model, m.cores, m.kernel, m.preemption,
       CASE m.hypervisor WHEN 1 THEN 'yes' END AS hypervisor,
       (SELECT max(number) + 1 FROM trial JOIN square USING (square_id) WHERE campaign_id = p.campaign_id) AS runs,
       (SELECT count(*) FROM configuration WHERE p999_us <= bound_us) AS met, (SELECT count(*) FROM configuration) AS measured, (SELECT 'yes' FROM configuration WHERE bound_us IS NOT NULL) AS bounded,
       (SELECT whole FROM configuration ORDER BY position) AS whole,
       (SELECT decimal(sum(total), 0) FROM middle JOIN configuration USING (position) WHERE (metric LIKE '%s due' OR metric LIKE '%s in stalls of the machine')) AS all_states,
       (SELECT decimal(sum(total), 0) FROM middle JOIN configuration USING (position) WHERE metric LIKE '%s in stalls of the machine') AS all_stalled,
       (SELECT decimal(value, 2) FROM middle WHERE position = 0 AND metric LIKE '% wakes / machine hops median') AS hop_ratio,
       (SELECT 'yes' FROM middle WHERE metric = 'real-time refused') AS ordinary
FROM chosen JOIN campaign AS p USING (campaign_id) JOIN build AS b USING (build_id) JOIN machine AS m USING (machine_id))
