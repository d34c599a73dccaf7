-- What is broken that was not, or had gone; at most 60.
SELECT *, iif(state = 'back', 'was there before, and had gone', iif((SELECT count(*) FROM looked_at) = 1, 'the first night of this name', 'in no night before')) AS since_words
FROM told_trial WHERE state IN ('new', 'back') ORDER BY verdict DESC, campaign, square LIMIT 60
