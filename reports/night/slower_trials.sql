-- Squares whose trials cost more or less than before, on this machine.
SELECT *, printf('%.3g', was) AS was_words, printf('%.3g', became) AS became_words, printf('%+.1f %%', 100 * (became / was - 1)) AS change_words,
       iif(became > was, 'slower', 'faster') AS word FROM changed WHERE kind = 'cost' AND was > 0 ORDER BY became / was DESC
