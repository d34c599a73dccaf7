-- A block per redundancy, a point per trial: the row of the campaign, and the cycles lost.
SELECT column_name AS block, position + 1, lost, row_name FROM struck WHERE lost IS NOT NULL ORDER BY redundancy, position
