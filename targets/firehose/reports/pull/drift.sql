-- A block per friction of the floor and kind of contact, a point per column whose robot did not look and had a hose.
SELECT 'friction ' || decimal(friction, 1) || iif(elliptic = 0, ', contact of the model', '') AS block,
       decimal(max(hose_kg), 2) AS kg, decimal(max(iif(fell, NULL, yaw_deg)), 2) AS yaw, column_name
FROM pulled WHERE task_kind = 1 AND hose_kg > 0 AND NOT fell
GROUP BY friction, elliptic, column_name ORDER BY elliptic = 0, friction, max(hose_kg), max(yaw_deg)
