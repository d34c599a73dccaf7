-- Every trial, numbered. Texts in double quotes are JSON's, which YAML reads likewise.
SELECT row_number() OVER (ORDER BY position, number) AS point, iif(verdict IN ('PASS', 'SKIP'), 'ok', 'not ok') AS ok, square, test,
       iif(verdict = 'SKIP', 'yes', '') AS is_skipped, found, iif(verdict IN ('FAIL', 'ERROR'), 'yes', '') AS is_bad, iif(verdict = 'PASS', 'yes', '') AS is_good, verdict, trial_id,
       json_quote(plain_text(coalesce(oracle, 'lab'))) AS oracle_text, json_quote(plain_text(found)) AS found_text,
       json_quote(plain_text(claim)) AS claim_text, json_quote(plain_text(seen)) AS seen_text,
       json_quote(plain_text('ukemi run --trial ' || trial_id || db_option)) AS again_text, json_quote(plain_text('ukemi show ' || trial_id || db_option)) AS show_text
FROM outcome ORDER BY position, number
