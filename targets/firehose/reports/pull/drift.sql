-- A block per friction of the floor, a point per column whose robot did not look and had a hose.
SELECT 'friction ' || decimal(friction, 1) AS block, decimal(max(hose_kg), 2) AS kg, decimal(max(iif(fell, NULL, yaw_deg)), 2) AS yaw, column_name
FROM pulled WHERE task_kind = 1 AND hose_kg > 0 AND NOT fell GROUP BY friction, column_name ORDER BY friction, round(max(hose_kg)), max(yaw_deg)
