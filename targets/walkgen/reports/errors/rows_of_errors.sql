SELECT row_name, column_name, count(*) AS n, sum(behaviour = 'Falls') AS falls, sum(behaviour = 'Breaks off') AS breaks,
       decimal(median(went_m), 2) AS went, decimal(max(error_mm), 1) AS error, decimal(median(mean_mm), 2) AS mean,
       decimal(max(pull_m_s2), 2) AS pull, decimal(median(refusals), 0) AS refusals, decimal(median(dry), 0) AS dry
FROM walk GROUP BY position, column_name ORDER BY position, column_name
