-- How often the robot fell, by where its centre of mass was when the fault struck: squares where the paper says so or where it did.
WITH split AS (
    SELECT s.row_name, s.class, s.expected, s.number, s.position, s.n, s.falls, s.n_outside, s.falls_outside,
           s.n - s.n_outside AS n_inside, s.falls - s.falls_outside AS falls_inside
    FROM summary AS s WHERE s.n > 0 AND (s.expected LIKE 'falls over' OR s.falls > 0)
)
SELECT row_name, class, expected,
       falls_outside || '/' || n_outside AS outside, printf('%.0f–%.0f', 100 * wilson_low(falls_outside, n_outside), 100 * wilson_high(falls_outside, n_outside)) AS outside_share,
       falls_inside || '/' || n_inside AS inside, printf('%.0f–%.0f', 100 * wilson_low(falls_inside, n_inside), 100 * wilson_high(falls_inside, n_inside)) AS inside_share,
       falls || '/' || n AS overall, printf('%.0f–%.0f', 100 * wilson_low(falls, n), 100 * wilson_high(falls, n)) AS overall_share,
       coalesce((SELECT decimal(median(fall_after_s), 2) || ' s' FROM judged AS j WHERE j.row_name = split.row_name AND j.class = split.class AND fell), '–') AS fall_after
FROM split ORDER BY position, number
