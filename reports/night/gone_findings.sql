-- What was broken before and is not any more, its trials having been run again; and what was not looked at.
SELECT *, iif(state = 'gone', 'good', 'soft') AS state_tone, iif(state = 'gone', 'gone', 'not run tonight') AS state_words
FROM told_trial WHERE state IN ('gone', 'not run') ORDER BY state, campaign, square
