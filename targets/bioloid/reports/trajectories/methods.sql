-- A block per method: angle and speed as planned, at 101 instants from the motion's begin to its end.
WITH RECURSIVE k(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM k WHERE n < 100),
     at AS (SELECT *, t1 + (t2 - t1) * n / 100 AS t FROM planned, k)
SELECT column_name AS block, t,
       iif(t < tm, q1 + w1 * (t - t1) + a1 * (t - t1) * (t - t1) / 2, q2 - w2 * (t2 - t) + a2 * (t2 - t) * (t2 - t) / 2) AS deg,
       iif(t < tm, w1 + a1 * (t - t1), w2 - a2 * (t2 - t)) AS deg_s,
       iif(t < tm, a1, a2) AS deg_s2
FROM at ORDER BY number, t
