SELECT row_name, column_name, number, seed, outcome, grants, history_hash, recheck_hash,
       (SELECT group_concat(v, ' ') FROM (SELECT oracle || '=' || verdict.verdict || '/' || ifnull(round(margin, 9), '') AS v
          FROM verdict JOIN judging USING (judging_id) WHERE judging.trial_id = trial.trial_id ORDER BY oracle))
  FROM trial JOIN square USING (square_id) ORDER BY row_name, column_name, number;
