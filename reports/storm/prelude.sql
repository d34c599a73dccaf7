-- What the other queries start from: the trials of the chosen storm (`chosen`, one row, filled by the engine), and those that failed.

CREATE TEMP TABLE struck AS
SELECT t.trial_id, t.number, t.seed, t.verdict, t.history_path, f.number AS fault, f.kind, f.component, f.applied_s
FROM trial_view AS t LEFT JOIN fault AS f USING (trial_id) WHERE t.campaign_id = (SELECT campaign_id FROM chosen);

-- A finding is all failed trials of one signature; its smallest example has the fewest faults.
CREATE TEMP TABLE found AS
WITH failed AS (
    SELECT s.*, t.seed, t.history_path, (SELECT count(*) FROM fault AS f WHERE f.trial_id = s.trial_id) AS faults
    FROM signature AS s JOIN trial AS t USING (trial_id) WHERE s.campaign_id = (SELECT campaign_id FROM chosen)
)
SELECT *, count(*) OVER (PARTITION BY oracle, party, acting) AS trials, min(trial_id) OVER (PARTITION BY oracle, party, acting) AS first_id,
       row_number() OVER (PARTITION BY oracle, party, acting ORDER BY faults, trial_id) AS place
FROM failed;
