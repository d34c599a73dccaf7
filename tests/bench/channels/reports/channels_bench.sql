SELECT strftime('%Y-%m-%d %H:%M', p.started_utc) AS started, p.campaign_id, p.file, b.lab_revision, b.compiler, m.cpu_model, m.cores, m.kernel, m.preemption,
       CASE m.hypervisor WHEN 1 THEN 'yes' END AS hypervisor,
       (SELECT max(number) + 1 FROM trial JOIN square USING (square_id) WHERE campaign_id = p.campaign_id) AS runs,
       (SELECT decimal(min(value), 2) FROM figure_view WHERE campaign_id = p.campaign_id AND square = 'nobody waiting, wall, 1024 B' AND metric = 'put') AS put_us,
       (SELECT decimal(median(ratio), 2) FROM latency WHERE name = 'ukemi') AS ours,
       (SELECT decimal(median(ratio), 2) FROM latency WHERE kind = 'peer') AS peers,
       (SELECT count(*) FROM ahead WHERE best = 'ukemi') AS ahead, (SELECT count(*) FROM ahead) AS settings
FROM chosen JOIN campaign AS p USING (campaign_id) JOIN build AS b USING (build_id) JOIN machine AS m USING (machine_id)
