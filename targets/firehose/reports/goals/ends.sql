-- A block per column of the campaign, a point per trial: where the robot was at the end.
SELECT column_name AS block, forward_m, side_m FROM walk WHERE forward_m IS NOT NULL AND side_m IS NOT NULL ORDER BY column_name, position
