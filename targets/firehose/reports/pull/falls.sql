-- A block per column, a point per force with which somebody pulled: the share that fell, with how many of how many.
SELECT column_name AS block, force_N, decimal(100.0 * sum(fell) / count(*), 0) AS share, sum(fell) || '/' || count(*) AS counts
FROM (SELECT pulled.*, CAST(substr(requested, instr(requested, 'force_n=') + 8) AS REAL) AS force_N
      FROM pulled JOIN fault USING (trial_id) WHERE kind = 'hose-pull' AND effective)
GROUP BY column_name, force_N ORDER BY column_name, force_N
