-- The example trial of square :row_name, :class: the one marked as typical, else the first whose history is kept.
SELECT t.trial_id, t.claim, coalesce((SELECT w.words FROM observed_words AS w WHERE w.judging_id = t.judging_id), '') AS seen, t.target, t.scenario, t.seed, coalesce(t.history_path, '') AS history_path, t.words,
       t.behaviour AS kind, t.verdict, lower(t.verdict) AS tone, CASE WHEN t.fault_s IS NOT NULL THEN printf('%.2f', t.fault_s) END AS fault_s,
       coalesce(decimal(t.gait_phase, 2), '') AS gait_phase, coalesce(signed_decimal(1000 * t.com_margin_m, 1), '') AS com_margin_mm,
       coalesce(signed_decimal(1000 * t.capture_point_margin_m, 1), '') AS capture_margin_mm,
       coalesce(decimal(t.fall_after_s, 2), '') AS fall_after_s, coalesce(decimal(1000 * t.reaction_s, 0), '') AS reaction_ms,
       coalesce(decimal(t.stop_s, 2), '') AS stop_s, coalesce(decimal(t.restart_s, 2), '') AS restart_s,
       t.history_hash, (SELECT effect_evidence FROM fault AS f WHERE f.trial_id = t.trial_id ORDER BY number LIMIT 1) AS evidence
FROM biped_trial AS t
WHERE t.row_name = :row_name AND t.motion = :class
  AND (t.is_example OR t.history_path IS NOT NULL)
ORDER BY t.is_example DESC, t.words = :words DESC, t.number LIMIT 1
