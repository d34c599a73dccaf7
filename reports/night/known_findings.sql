-- What was broken before, too, and what comes and goes.
SELECT *, state || iif(state = 'flaky', ': comes and goes with the same contents', '') AS state_words FROM told_trial WHERE state IN ('flaky', 'known') ORDER BY state, campaign, square
