-- Why trials were skipped, and how many, commonest reason first.
SELECT count(*) AS n, plural(count(*), 'trial') AS n_word, replace(group_concat(DISTINCT t.row_name), ',', ', ') AS row_names,
       coalesce((SELECT group_concat(detail, '; ') FROM verdict AS v WHERE v.judging_id = t.judging_id AND v.oracle = 'lab' AND v.verdict = 'SKIP'), t.reason) AS why
FROM trial_view AS t
WHERE campaign_id = (SELECT campaign_id FROM chosen) AND t.verdict = 'SKIP'
GROUP BY why ORDER BY n DESC, why
