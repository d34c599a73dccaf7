-- The chosen benchmark of ethernet in one row.
SELECT *, plural(configurations, 'configuration') AS configurations_word, plural(runs, 'run') AS runs_word FROM (
SELECT strftime('%Y-%m-%d %H:%M', p.started_utc) AS started, p.campaign_id, p.target, b.lab_revision, b.compiler, m.cpu_model, m.cores, m.kernel, m.preemption,
       CASE m.hypervisor WHEN 1 THEN 'yes' END AS hypervisor,
       (SELECT count(*) FROM square WHERE campaign_id = p.campaign_id) AS configurations,
       (SELECT max(number) + 1 FROM trial JOIN square USING (square_id) WHERE campaign_id = p.campaign_id) AS runs
FROM chosen JOIN campaign AS p USING (campaign_id) JOIN build AS b USING (build_id) JOIN machine AS m USING (machine_id))
