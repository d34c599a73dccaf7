-- A block per motion, a point per trial: the row of the campaign, and what the battery gave.
SELECT column_name AS block, position + 1, energy_J, row_name FROM cost WHERE energy_J IS NOT NULL ORDER BY column_name, position
