-- What the trials of square :row_name, :class show about why they did not behave as in the paper (:expected), a sentence a row.
WITH t AS (
    SELECT * FROM judged WHERE row_name = :row_name AND class = :class
), stood_inside AS (
    SELECT count(*) AS k, median(com_margin_m) AS margin, min(trial_id) AS trial_id FROM t WHERE NOT fell AND NOT outside
), stood_outside AS (
    SELECT count(*) AS k, median(com_margin_m) AS margin, min(com_margin_m) AS worst, min(gait_phase) AS phase_min,
           max(gait_phase) AS phase_max, min(trial_id) AS trial_id FROM t WHERE NOT fell AND outside
), fell_inside AS (
    SELECT count(*) AS k, sum(capture_point_margin_m < 0) AS capture_outside, median(capture_point_margin_m) AS capture,
           median(com_margin_m) AS margin, min(trial_id) AS trial_id FROM t WHERE fell AND NOT outside
), fell AS (
    SELECT count(*) AS k, coalesce(sum(outside), 0) AS outside, coalesce(sum(capture_point_margin_m < 0), 0) AS capture_outside,
           (SELECT median(stop_s) FROM t WHERE NOT fell) AS stood_stop, median(fall_after_s) AS after,
           min(gait_phase) AS phase_min, max(gait_phase) AS phase_max, min(trial_id) AS trial_id FROM t WHERE fell
), other AS (
    SELECT words, count(*) AS k, sum(completed) AS completed, median(reaction_s) AS reaction, median(stop_s) AS stop,
           min(trial_id) AS trial_id
    FROM t WHERE NOT fell AND lower(words) <> lower(:expected) GROUP BY words
), found AS (
    SELECT 0 AS place, k, trial_id, printf('%d of %d %s did not fall: the centre of mass was inside the support polygon when the fault struck '
           || '(%s%+.1f mm from its edge), so the robot stands on once its joints rest',
           k, (SELECT count(*) FROM t), (SELECT plural(count(*), 'trial') FROM t), iif(k > 1, 'median ', ''), 1000 * margin) AS reason
    FROM stood_inside WHERE :expected LIKE 'falls over' AND k > 0
    UNION ALL
    SELECT 1, k, trial_id, printf('%d did not fall although the centre of mass was outside (%s): '
           || 'the robot tipped, and the foot that was in the air caught it',
           k, iif(k > 1, printf('median %+.1f mm, farthest %+.1f mm; gait phases %.2f to %.2f', 1000 * margin, 1000 * worst, phase_min, phase_max),
                  printf('%+.1f mm; gait phase %.2f', 1000 * margin, phase_min)))
    FROM stood_outside WHERE :expected LIKE 'falls over' AND k > 0
    UNION ALL
    SELECT 2, k, trial_id, printf('%d fell although the centre of mass was still inside (%s%+.1f mm): %s (%s%+.1f mm)',
           k, iif(k > 1, 'median ', ''), 1000 * margin,
           CASE WHEN capture_outside = 0 THEN 'the capture point was inside as well, but about to leave'
                WHEN k = 1 THEN 'the capture point was already outside, and the momentum carried the robot over the edge'
                ELSE printf('in %d of them the capture point was already outside, and the momentum carried the robot over the edge', capture_outside)
                END, iif(k > 1, 'median ', ''), 1000 * capture)
    FROM fell_inside WHERE :expected LIKE 'falls over' AND k > 0
    UNION ALL
    SELECT 3, k, trial_id, printf('%d fell, where the paper reports none%s: the centre of mass was outside in %d of them when the fault struck, the capture point '
           || 'in %d. %s %.2f s%s', k,
           CASE WHEN phase_min IS NULL THEN '' WHEN k = 1 THEN printf(' (struck at gait phase %.2f)', phase_min)
                ELSE printf(' (struck at gait phases %.2f to %.2f)', phase_min, phase_max) END,
           outside, capture_outside, iif(k > 1, 'They were down after a median of', 'It was down after'), after,
           CASE WHEN stood_stop IS NULL THEN '' ELSE printf('; in the trials in which it stayed up the joints moved on for a median of %.2f s after the fault',
                                                                   stood_stop) END)
    FROM fell WHERE :expected NOT LIKE 'falls over' AND k > 0
    UNION ALL
    SELECT 4, k, trial_id, printf('%d: %s%s%s; the motion was %s', k, words,
           CASE WHEN reaction IS NULL THEN '' ELSE printf(', first change of motion after %s%.0f ms', iif(k > 1, 'a median of ', ''), 1000 * reaction) END,
           CASE WHEN stop IS NULL THEN '' ELSE printf(', at rest after %.2f s', stop) END,
           CASE WHEN k > 1 THEN printf('completed by the end of the trial in %d of them', completed)
                ELSE iif(completed, 'completed', 'not completed') || ' by the end of the trial' END)
    FROM other WHERE :expected NOT LIKE 'falls over' AND k > 0
)
SELECT reason || iif(k > 1, ', e.g. in trial ', ', in trial ') || trial_id || '.' AS reason FROM found ORDER BY place
