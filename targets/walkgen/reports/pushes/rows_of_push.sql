-- Falls of the trials in each quarter of the gait cycle, and in all.
SELECT row_name, count(*) AS n, sum(fell) AS falls, decimal(100.0 * (count(*) - sum(fell)) / count(*), 0) AS stood,
       sum(fell AND phase < 0.25) || '/' || sum(phase < 0.25) AS first,
       sum(fell AND phase >= 0.25 AND phase < 0.5) || '/' || sum(phase >= 0.25 AND phase < 0.5) AS second,
       sum(fell AND phase >= 0.5 AND phase < 0.75) || '/' || sum(phase >= 0.5 AND phase < 0.75) AS third,
       sum(fell AND phase >= 0.75) || '/' || sum(phase >= 0.75) AS fourth
FROM push GROUP BY position ORDER BY position
