-- What the other queries start from: temporary views of the chosen campaign (`chosen`, one row, filled by the engine).

CREATE TEMP VIEW square AS
SELECT * FROM square_verdicts WHERE campaign_id = (SELECT campaign_id FROM chosen);

CREATE TEMP TABLE matrix_row AS
SELECT row_name, min(position) AS position FROM square GROUP BY row_name;
CREATE TEMP TABLE matrix_column AS
SELECT column_name, row_number() OVER (ORDER BY min(position)) AS number FROM square GROUP BY column_name;

-- What was observed in trials that say something about the target.
CREATE TEMP TABLE told AS
SELECT * FROM observation_view WHERE campaign_id = (SELECT campaign_id FROM chosen) AND verdict IN ('PASS', 'FAIL');

-- How often each text was said in each square, the commonest first.
CREATE TEMP TABLE said AS
SELECT row_name, column_name, number, name, text, count(*) AS k, sum(count(*)) OVER one AS n,
       row_number() OVER (PARTITION BY row_name, column_name, name ORDER BY count(*) DESC, text) AS rank
FROM told WHERE text <> '' GROUP BY row_name, column_name, name, text
WINDOW one AS (PARTITION BY row_name, column_name, name);

-- The verdicts of a square in words.
CREATE TEMP VIEW verdict_words AS
SELECT *, coalesce(nullif(substr(iif(failed, ', ' || failed || ' FAIL', '') || iif(errors, ', ' || errors || ' ERROR', '')
          || iif(passed, ', ' || passed || ' PASS', '') || iif(skipped, ', ' || skipped || ' SKIP', ''), 3), ''), 'no trial') AS words,
       CASE WHEN failed OR errors THEN 'bad' WHEN passed THEN 'good' ELSE 'soft' END AS tone
FROM square;
