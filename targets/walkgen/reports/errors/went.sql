-- A block per motion, a point per trial: the row of the campaign, and how far the robot came.
SELECT column_name AS block, position + 1, went_m, row_name FROM walk WHERE went_m IS NOT NULL ORDER BY column_name, position
