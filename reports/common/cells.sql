-- What the cells of its trials lacked, and in how many; no row if nothing is missing.
SELECT count(*) AS n, plural(count(*), 'trial') AS n_word, coalesce(cell, 'none') AS cell, lacks
FROM trial_view WHERE campaign_id = (SELECT campaign_id FROM chosen) AND lacks <> ''
GROUP BY cell, lacks ORDER BY n DESC, lacks
