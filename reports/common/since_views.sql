-- What each trial of the chosen campaign did the time before. The same trial (square, scenario, seed, clock) of the newest earlier campaign
-- of the same name must do the same, on the virtual clock bit for bit, unless the lab, the target, the machine or a file has changed.

CREATE TEMP TABLE run AS -- every run of the trials of campaigns of this name, up to the chosen one
SELECT t.trial_id, t.campaign_id, t.position, t.row_name, t.column_name, t.target, t.scenario, t.number, t.seed, t.clock_mode, t.verdict,
       t.verdict IN ('FAIL', 'ERROR') AS bad, coalesce(t.observed, '') AS words, t.history_hash, t.judging_id, t.build_id, t.machine_id
FROM trial_view AS t JOIN campaign AS c USING (campaign_id)
WHERE c.kind <> 'benchmark' AND c.campaign_id <= (SELECT campaign_id FROM chosen)
  AND c.name = (SELECT name FROM campaign WHERE campaign_id = (SELECT campaign_id FROM chosen));
CREATE INDEX temp.run_of_trial ON run (row_name, column_name, scenario, seed, clock_mode, target, campaign_id);

-- The trials of the chosen campaign, each with its last run before, if there was one.
--   change: broken, still (bad then, too), new bad; skipped (was run then); fixed; otherwise (behaves so); moved (the same in other words of
--   its history); same; new.
CREATE TEMP TABLE since AS
WITH pair AS (
    SELECT now.*, (SELECT b.trial_id FROM run AS b
                   WHERE b.row_name = now.row_name AND b.column_name = now.column_name AND b.scenario = now.scenario AND b.seed = now.seed
                     AND b.clock_mode = now.clock_mode AND b.target = now.target AND b.campaign_id < now.campaign_id
                   ORDER BY b.campaign_id DESC LIMIT 1) AS before_id
    FROM run AS now WHERE now.campaign_id = (SELECT campaign_id FROM chosen)
)
SELECT now.*, b.campaign_id AS before_campaign, b.verdict AS before_verdict, b.words AS before_words, b.judging_id AS before_judging,
       b.build_id <> now.build_id AS other_build, b.machine_id <> now.machine_id AS other_machine,
       CASE WHEN b.trial_id IS NULL THEN 'new'
            WHEN now.bad THEN iif(b.bad, 'still', 'broken')
            WHEN now.verdict = 'SKIP' THEN iif(b.verdict = 'SKIP', 'same', 'skipped')
            WHEN b.bad THEN 'fixed'
            WHEN b.verdict = 'SKIP' THEN 'new'
            WHEN now.words <> b.words THEN 'otherwise'
            WHEN now.clock_mode = 'virtual' AND now.history_hash <> b.history_hash THEN 'moved'
            ELSE 'same' END AS change
FROM pair AS now LEFT JOIN run AS b ON b.trial_id = now.before_id;

-- A campaign as people speak of it.
CREATE TEMP VIEW campaign_words AS
SELECT campaign_id, printf('campaign %d of %s (lab %s)', campaign_id, replace(substr(started_utc, 1, 16), 'T', ' '), lab_revision) AS words
FROM campaign JOIN build USING (build_id);
