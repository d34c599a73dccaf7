-- What the other queries start from: temporary views of the chosen campaign (`chosen`, one row, filled by the engine).

-- What the pack `walking` observes of a biped, a row per trial with its observations as columns.
CREATE TEMP TABLE biped AS
SELECT judging_id, max(text) FILTER (WHERE name = 'behaviour') AS words, max(text) FILTER (WHERE name = 'motion') AS motion,
       max(value) FILTER (WHERE name = 'fault_s') AS fault_s,
       max(value) FILTER (WHERE name = 'gait_phase') AS gait_phase,
       max(value) FILTER (WHERE name = 'com_margin_m') AS com_margin_m,
       max(value) FILTER (WHERE name = 'capture_point_margin_m') AS capture_point_margin_m,
       max(value) FILTER (WHERE name = 'fall_after_s') AS fall_after_s,
       max(value) FILTER (WHERE name = 'reaction_s') AS reaction_s,
       max(value) FILTER (WHERE name = 'stop_s') AS stop_s,
       max(value) FILTER (WHERE name = 'restart_s') AS restart_s,
       max(value) FILTER (WHERE name = 'resume_s') AS resume_s,
       max(text = 'yes') FILTER (WHERE name = 'completed') AS completed
FROM observation_view WHERE campaign_id = (SELECT campaign_id FROM chosen) GROUP BY judging_id HAVING words IS NOT NULL;
CREATE UNIQUE INDEX temp.biped_by_judging ON biped (judging_id);

CREATE TEMP VIEW biped_trial AS
SELECT t.*, b.words, b.motion, b.fault_s, b.gait_phase, b.com_margin_m, b.capture_point_margin_m, b.fall_after_s, b.reaction_s, b.stop_s,
       b.restart_s, b.resume_s, b.completed,
       CASE WHEN b.words LIKE 'sudden stop%' THEN 'sudden-stop' WHEN b.words LIKE 'smooth stop%' THEN 'smooth-stop'
            WHEN b.words LIKE 'finishes last plan%' THEN 'finishes-last-plan' ELSE lower(replace(b.words, ' ', '-')) END AS behaviour
FROM trial_view AS t JOIN biped AS b USING (judging_id);

-- Trials that say something about the robot, by the motion class *measured* at the fault.
CREATE TEMP VIEW judged AS
SELECT trial_id, row_name, motion AS class, column_name AS class_asked, verdict, behaviour,
       words, gait_phase, com_margin_m, capture_point_margin_m,
       com_margin_m < 0 AS outside, behaviour = 'falls-over' AS fell, fault_s, fall_after_s, reaction_s, stop_s, restart_s,
       resume_s, completed
FROM biped_trial
WHERE verdict IN ('PASS', 'FAIL');

-- The table's rows and columns, in order, with what the paper says.
CREATE TEMP VIEW component AS
SELECT row_name, min(position) AS position FROM square
WHERE campaign_id = (SELECT campaign_id FROM chosen) GROUP BY row_name;

CREATE TEMP TABLE class (class TEXT, number INTEGER);
INSERT INTO class VALUES ('Static', 0), ('Quasi-Static', 1), ('Dynamic', 2);

CREATE TEMP VIEW paper AS
SELECT row_name, class, number, position,
       coalesce((SELECT expected FROM square WHERE campaign_id = (SELECT campaign_id FROM chosen)
                 AND row_name = component.row_name AND column_name = class.class ORDER BY square.position LIMIT 1), '') AS expected
FROM component, class;

-- Motions of which something is known or expected; all of them, if nothing is yet.
CREATE TEMP VIEW asked_for AS
SELECT class FROM class WHERE class IN (SELECT class FROM judged) OR class IN (SELECT class FROM paper WHERE expected <> '')
   OR NOT EXISTS (SELECT 1 FROM judged);

-- How often each behaviour was seen in each square, the commonest first; equally common ones: the paper's first.
CREATE TEMP VIEW behaviour AS
SELECT row_name, class, words, behaviour AS kind, expected, lower(expected) = lower(words) AS is_expected,
       count(*) AS k, sum(count(*)) OVER square AS n,
       row_number() OVER (PARTITION BY row_name, class
                          ORDER BY count(*) DESC, lower(expected) = lower(words) DESC, words) AS rank
FROM judged JOIN paper USING (row_name, class)
GROUP BY row_name, class, words
WINDOW square AS (PARTITION BY row_name, class);

-- Falls of each square: over all trials, and over those whose centre of mass was outside the support polygon at the fault.
CREATE TEMP VIEW falls AS
SELECT row_name, class, count(*) AS n, sum(fell) AS falls, coalesce(sum(outside), 0) AS n_outside,
       coalesce(sum(fell AND outside), 0) AS falls_outside
FROM judged GROUP BY row_name, class;

-- One row per square of Table I. `agreement` compares the commonest behaviour with the paper's words:
--   agrees; outside: the paper says "Falls over", and that is so when the centre of mass was outside, though not over all;
--   sometimes: the paper's behaviour was seen, but not most often; differs: never seen; untried: no trial.
CREATE TEMP VIEW summary AS
SELECT p.row_name, p.class, p.number, p.position, p.expected, b.words, b.kind, coalesce(b.k, 0) AS k, coalesce(b.n, 0) AS n,
       coalesce(e.k, 0) AS k_expected, f.n_outside, f.falls_outside, f.falls,
       CASE WHEN b.n IS NULL THEN 'untried'
            WHEN p.expected = '' THEN 'no word'
            WHEN b.is_expected THEN 'agrees'
            WHEN p.expected LIKE 'falls over' AND 2 * f.falls_outside > f.n_outside THEN 'outside'
            WHEN e.k > 0 THEN 'sometimes'
            ELSE 'differs' END AS agreement
FROM paper AS p
LEFT JOIN behaviour AS b ON b.row_name = p.row_name AND b.class = p.class AND b.rank = 1
LEFT JOIN behaviour AS e ON e.row_name = p.row_name AND e.class = p.class AND e.is_expected
LEFT JOIN falls AS f ON f.row_name = p.row_name AND f.class = p.class;

CREATE TEMP TABLE agreement_words (agreement TEXT, mark TEXT, mark_ascii TEXT, meaning TEXT);
INSERT INTO agreement_words VALUES
    ('agrees', '✓', '=', 'as in the paper'),
    ('outside', '◐', '~', 'as in the paper when the CoM is outside'),
    ('sometimes', '≈', '~', 'as in the paper at times'),
    ('differs', '✗', '!', 'unlike the paper'),
    ('untried', '·', '.', 'not tried'),
    ('no word', '·', '.', 'not in the paper');
