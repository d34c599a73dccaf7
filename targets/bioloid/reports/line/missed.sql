-- A block per motion, a point per trial: the row of the campaign, and answers that were missed.
SELECT column_name AS block, position + 1, missed, row_name FROM line WHERE missed >= 0 AND cycles >= 0 ORDER BY column_name, position
