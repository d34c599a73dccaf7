SELECT row_name, column_name, count(*) AS n, count(reached_s) AS reached,
       decimal(100 * wilson_low(count(reached_s), count(*)), 0) AS low, decimal(100 * wilson_high(count(reached_s), count(*)), 0) AS high,
       decimal(median(reached_s), 1) AS seconds, decimal(median(forward_m), 2) AS forward, decimal(round(median(side_m), 2) + 0.0, 2) AS side,
       decimal(round(57.29578 * median(yaw_rad), 1) + 0.0, 1) AS yaw, decimal(max(pull_N), 0) AS pull
FROM walk GROUP BY position, column_name ORDER BY position, column_name
