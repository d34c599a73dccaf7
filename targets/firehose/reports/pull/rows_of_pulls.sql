SELECT row_name, column_name, count(*) AS n, sum(verdict = 'PASS') AS kept, sum(fell) AS falls, count(reached_s) AS reached,
       decimal(100 * wilson_low(count(reached_s), count(*)), 0) AS low, decimal(100 * wilson_high(count(reached_s), count(*)), 0) AS high,
       decimal(median(hose_kg), 1) AS kg, decimal(median(friction), 1) AS friction, decimal(median(mean_N), 0) AS mean,
       decimal(round(median(iif(fell, NULL, side_m)), 3) + 0.0, 3) AS side, decimal(round(median(iif(fell, NULL, yaw_deg)), 1) + 0.0, 1) AS yaw, decimal(max(hand_N), 0) AS hand, decimal(max(foot_N), 0) AS foot
FROM pulled GROUP BY position, column_name ORDER BY position, column_name
