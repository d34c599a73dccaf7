-- What this page's queries share: a row per trial of a push.
CREATE TEMP TABLE push AS
SELECT t.row_name, s.position, t.trial_id, max(iif(t.name = 'struck_phase', t.value, NULL)) AS phase,
       max(iif(t.name = 'behaviour', t.text, NULL)) = 'Falls' AS fell
FROM observation_view AS t JOIN square_verdicts AS s USING (campaign_id, row_name, column_name)
WHERE t.campaign_id = (SELECT campaign_id FROM chosen) AND t.verdict IN ('PASS', 'FAIL')
  AND EXISTS (SELECT 1 FROM fault WHERE fault.trial_id = t.trial_id AND fault.kind = 'push') GROUP BY t.trial_id;
