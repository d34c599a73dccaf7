-- How long things took, per square: medians over the trials in which they happened, with how many those were.
WITH seen AS ( -- when the supervisor learnt of the end of a process of the component
    SELECT j.trial_id, min(e.time_s - j.fault_s) AS detection_s
    FROM judged AS j JOIN process_event AS e USING (trial_id)
    WHERE e.component = j.row_name AND e.kind IN ('killed', 'exited', 'stopped') AND e.time_s >= j.fault_s GROUP BY j.trial_id
)
SELECT row_name, class, count(*) AS n,
       coalesce(decimal(1000 * median(detection_s), 1), '–') AS detection_ms,
       coalesce(decimal(1000 * median(reaction_s), 0), '–') AS reaction_ms,
       coalesce(decimal(median(stop_s), 2), '–') AS stop_s,
       coalesce(decimal(median(fall_after_s), 2), '–') AS fall_s,
       coalesce(decimal(median(restart_s), 2), '–') AS restart_s,
       coalesce(decimal(median(resume_s), 2), '–') AS resume_s,
       sum(completed) AS completed
FROM judged JOIN paper USING (row_name, class) LEFT JOIN seen USING (trial_id)
GROUP BY row_name, class
HAVING count(detection_s) + count(reaction_s) + count(stop_s) + count(fall_after_s) + count(restart_s) + count(resume_s) > 0 OR sum(completed) < count(*)
ORDER BY position, number
