-- A block per row of the campaign, a point per trial.
SELECT row_name AS block, struck_s, lean_rad FROM leant ORDER BY row_name, struck_s
