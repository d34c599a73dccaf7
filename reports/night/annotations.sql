-- What GitHub is to show: what is new as errors, what is known as warnings.
SELECT iif(state IN ('new', 'back'), 'error', 'warning') AS level, state || ' ' || verdict || ': ' || campaign || ': ' || square AS title,
       found || char(10) || 'claim: ' || claim || char(10) || 'again: ukemi run --trial ' || trial_id || db_option AS message
FROM told_trial WHERE state IN ('new', 'back', 'flaky', 'known') ORDER BY state NOT IN ('new', 'back'), campaign, square
