-- Quantities that changed for good, but for what trials cost.
SELECT *, printf('%.4g', was) AS was_words, printf('%.4g', became) AS became_words, CASE WHEN was <> 0 THEN printf('%+.1f %%', 100 * (became / was - 1)) ELSE '' END AS change_words,
       iif(p < 1e-6, '< 1e-6', printf('%.1g', p)) AS p_words
FROM changed WHERE kind = 'seen' ORDER BY campaign, square, metric
