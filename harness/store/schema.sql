-- Results of trials. One database holds any number of campaigns; doc/reference/database.md explains it with examples.
--
-- Rules: SI units, unit last in each name; times of a trial in seconds since its start; dates in UTC, ISO 8601.
-- A trial is here whole or not at all (one transaction per trial, one writer). Nothing is ever overwritten but
-- the columns marked (later); judging a history again adds a judging.
-- Not-a-number and "does not apply" are NULL.

PRAGMA application_id = 0x554B454D; -- "UKEM"
PRAGMA user_version = 14;           -- raised with every change of this file

CREATE TABLE machine ( -- where trials ran, as it was then: with another governor it is another machine
    machine_id   INTEGER PRIMARY KEY,
    cpu_model    TEXT NOT NULL,
    cores        INTEGER NOT NULL CHECK (cores > 0),
    kernel       TEXT NOT NULL,
    memory_mb    INTEGER NOT NULL CHECK (memory_mb >= 0), -- 0: not known
    preemption   TEXT NOT NULL, -- the kernel's: "PREEMPT_RT", "PREEMPT_DYNAMIC", "PREEMPT"; "none" has no such word
    clock_source TEXT NOT NULL, -- "tsc"
    governor     TEXT NOT NULL, -- of the CPU's frequency; "none": the kernel does not set it
    rt_limit     TEXT NOT NULL, -- what real-time processes may use: "950000 of 1000000 us", "none"
    hypervisor   INTEGER NOT NULL CHECK (hypervisor IN (0, 1)), -- a virtual machine
    UNIQUE (cpu_model, cores, kernel, memory_mb, preemption, clock_source, governor, rt_limit, hypervisor)
) STRICT;

CREATE TABLE build ( -- the lab and its libraries
    build_id     INTEGER PRIMARY KEY,
    lab_revision TEXT NOT NULL, -- git describe when built, or "unknown"
    compiler     TEXT NOT NULL,
    libc         TEXT NOT NULL,
    mujoco       TEXT NOT NULL,
    sqlite       TEXT NOT NULL,
    UNIQUE (lab_revision, compiler, libc, mujoco, sqlite)
) STRICT;

CREATE TABLE campaign (
    campaign_id   INTEGER PRIMARY KEY,
    kind          TEXT NOT NULL CHECK (kind <> ''), -- 'trials'; 'storm': one square, whose trials are drawn; 'benchmark': squares are configurations, trials are runs
    name          TEXT NOT NULL,
    file          TEXT NOT NULL, -- of a benchmark: the command
    target        TEXT NOT NULL,
    seed          INTEGER NOT NULL CHECK (seed >= 0),
    clock_mode    TEXT NOT NULL CHECK (clock_mode IN ('virtual', 'wall')),
    recheck_share REAL NOT NULL CHECK (recheck_share BETWEEN 0 AND 1),
    jobs          INTEGER NOT NULL CHECK (jobs > 0),
    walled        INTEGER NOT NULL DEFAULT 1 CHECK (walled IN (0, 1)), -- 0: programs had the rights of the lab's user (--no-wall)
    build_id      INTEGER NOT NULL REFERENCES build,
    machine_id    INTEGER NOT NULL REFERENCES machine,
    started_utc   TEXT NOT NULL,
    finished_utc  TEXT, -- (later) NULL: not finished, `ukemi campaign --resume` goes on with it
    wall_s        REAL CHECK (wall_s >= 0), -- (later) spent so far
    page          TEXT NOT NULL DEFAULT 'campaign', -- of its report: a folder of reports/
    digest        TEXT NOT NULL DEFAULT '', -- of all its contents (table content); '': of an older release, or a benchmark
    trial_first   INTEGER -- its trials have this trial_id and the following, in the order in which they are planned; NULL: as they were stored
) STRICT;

CREATE TABLE session ( -- one run of `ukemi campaign`: of a whole campaign, or of a shard
    session_id  INTEGER PRIMARY KEY,
    campaign_id INTEGER NOT NULL REFERENCES campaign ON DELETE CASCADE,
    name        TEXT NOT NULL UNIQUE CHECK (length(name) = 32), -- drawn; the same wherever it is merged
    shard       INTEGER NOT NULL CHECK (shard >= 0), -- it ran the trials whose place modulo `shards` is this
    shards      INTEGER NOT NULL CHECK (shards > shard),
    machine_id  INTEGER NOT NULL REFERENCES machine,
    jobs        INTEGER NOT NULL CHECK (jobs > 0), -- trials at once
    job         TEXT NOT NULL, -- of a batch system: "slurm 17_3"; "" if it knows of none
    restarts    INTEGER NOT NULL CHECK (restarts >= 0), -- of that job before
    started_utc TEXT NOT NULL,
    ended_utc   TEXT, -- (later) NULL: it runs, or was killed
    wall_s      REAL CHECK (wall_s >= 0), -- (later)
    trials      INTEGER CHECK (trials >= 0) -- (later) that it stored
) STRICT;

CREATE TABLE content ( -- what a campaign is made of: its squares, files, programs, and the lab
    campaign_id INTEGER NOT NULL REFERENCES campaign ON DELETE CASCADE,
    name        TEXT NOT NULL,    -- wherever it lies: 'scenario stand.yaml', 'target robot.xml', 'program faults/process'
    hash        TEXT NOT NULL,    -- XXH3-128 of its bytes, or of what a YAML file says; '': it could not be read
    path        TEXT NOT NULL,    -- where it lay; '' is no file
    bytes_id    INTEGER REFERENCES bytes, -- NULL: not kept, as judging needs it not
    PRIMARY KEY (campaign_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE bytes ( -- what judged trials, once for all campaigns
    bytes_id   INTEGER PRIMARY KEY,
    name       TEXT NOT NULL,
    hash       TEXT NOT NULL, -- XXH3-128 of `bytes`
    executable INTEGER NOT NULL CHECK (executable IN (0, 1)),
    bytes      BLOB NOT NULL,
    UNIQUE (hash, name)
) STRICT;

CREATE TABLE square ( -- a square of the campaign's matrix, in the order of the campaign file
    square_id         INTEGER PRIMARY KEY,
    campaign_id     INTEGER NOT NULL REFERENCES campaign ON DELETE CASCADE,
    position        INTEGER NOT NULL CHECK (position >= 0),
    row_name        TEXT NOT NULL, -- component: "Hardware"; or the row's title
    column_name     TEXT NOT NULL, -- title in the campaign file: a class of scenarios
    scenario        TEXT NOT NULL,
    claim           TEXT NOT NULL,
    expected        TEXT NOT NULL, -- what the paper's table says, in its words; "" if nothing
    trials_planned  INTEGER NOT NULL CHECK (trials_planned >= 0), -- of a storm (later): it may go on with more
    UNIQUE (campaign_id, position),
    UNIQUE (campaign_id, row_name, column_name, scenario)
) STRICT;

CREATE TABLE trial (
    trial_id     INTEGER PRIMARY KEY,
    square_id      INTEGER NOT NULL REFERENCES square ON DELETE CASCADE,
    number       INTEGER NOT NULL CHECK (number >= 0), -- within the square
    target       TEXT NOT NULL,
    scenario     TEXT NOT NULL,
    seed         INTEGER NOT NULL CHECK (seed >= 0), -- with target, scenario and clock_mode it reproduces the trial
    clock_mode   TEXT NOT NULL CHECK (clock_mode IN ('virtual', 'wall')),
    build_id     INTEGER NOT NULL REFERENCES build,
    machine_id   INTEGER NOT NULL REFERENCES machine,
    outcome      TEXT NOT NULL CHECK (outcome IN ('ran', 'lab-error')),
    reason       TEXT NOT NULL, -- of a lab error, else ""
    simulated_s  REAL NOT NULL CHECK (simulated_s >= 0),
    wall_s       REAL NOT NULL CHECK (wall_s >= 0),
    cpu_s        REAL NOT NULL CHECK (cpu_s >= 0), -- user + system of all processes of the cell
    grants       INTEGER NOT NULL CHECK (grants >= 0), -- turns the virtual clock gave
    history_hash TEXT NOT NULL CHECK (length(history_hash) IN (0, 32)), -- XXH3-128, "" if there is no history
    recheck_hash TEXT CHECK (length(recheck_hash) IN (0, 32)), -- of a second run with the same seed, NULL if there was none
    history_path TEXT, -- (later) MCAP file beside the database, relative to its folder; NULL if not kept
    is_example   INTEGER NOT NULL DEFAULT 0 CHECK (is_example IN (0, 1)), -- (later) the typical trial of its square
    finished_utc TEXT NOT NULL,
    still_s      REAL CHECK (still_s >= 0), -- real time: so long the machine stood still at most; NULL: it was not watched
    still_at_s   REAL, -- of the trial's time; NULL: it did not stand still
    runs         INTEGER NOT NULL DEFAULT 1 CHECK (runs >= 1), -- all but the last, which counts, were in doubt: bad, and the machine stood still
    cell         TEXT CHECK (cell IN ('wall', 'no wall', 'bare')), -- what held its programs; NULL: none was built, or it was not recorded
    lacks        TEXT NOT NULL DEFAULT '', -- what that had not, and why; "" if nothing is missing
    digest       TEXT NOT NULL DEFAULT '', -- of the campaign's contents when it ran; '': of an older release, or a benchmark
    UNIQUE (square_id, number)
) STRICT;

CREATE TABLE fault ( -- a fault requested in a trial, and its proof
    trial_id        INTEGER NOT NULL REFERENCES trial ON DELETE CASCADE,
    number          INTEGER NOT NULL CHECK (number >= 0), -- in the scenario
    kind            TEXT NOT NULL, -- "kill", "stall", "restart"
    component       TEXT NOT NULL,
    requested       TEXT NOT NULL, -- parameters in words
    applied_s       REAL, -- NULL: the trial ended before it was due
    effective       INTEGER NOT NULL CHECK (effective IN (0, 1)), -- the probe saw the effect
    effect_evidence TEXT NOT NULL,
    undo_requested  INTEGER NOT NULL CHECK (undo_requested IN (0, 1)),
    undone_s        REAL,
    undone          INTEGER NOT NULL CHECK (undone IN (0, 1)), -- the probe saw that the effect is gone
    undo_evidence   TEXT NOT NULL,
    PRIMARY KEY (trial_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE bus_load ( -- what a bus carried in a trial; no row if the trial did not run
    trial_id     INTEGER NOT NULL REFERENCES trial ON DELETE CASCADE,
    bus          INTEGER NOT NULL CHECK (bus >= 0), -- 0: can0
    load_mean    REAL NOT NULL CHECK (load_mean >= 0), -- share of the time the wire was busy
    load_peak    REAL NOT NULL CHECK (load_peak >= 0), -- of the fullest second; 0 if the trial was shorter
    frames       INTEGER NOT NULL CHECK (frames >= 0), -- delivered
    error_frames INTEGER NOT NULL CHECK (error_frames >= 0),
    states       INTEGER NOT NULL CHECK (states >= 0),     -- of the trial: published by the Hardware daemon
    incomplete   INTEGER NOT NULL CHECK (incomplete >= 0), -- of these, states that lack a reading
    PRIMARY KEY (trial_id, bus)
) STRICT, WITHOUT ROWID;

CREATE TABLE figure ( -- what a run of a benchmark measured; such a trial has a judging only if that is FAIL or ERROR
    trial_id INTEGER NOT NULL REFERENCES trial ON DELETE CASCADE,
    metric   TEXT NOT NULL CHECK (metric <> ''),
    unit     TEXT NOT NULL,
    better   TEXT NOT NULL CHECK (better IN ('less', 'more', '')), -- '': neither
    value    REAL NOT NULL,
    PRIMARY KEY (trial_id, metric)
) STRICT, WITHOUT ROWID;

CREATE TABLE histogram ( -- the distribution behind figures; quantiles are the highest value of their bucket
    trial_id  INTEGER NOT NULL REFERENCES trial ON DELETE CASCADE,
    metric    TEXT NOT NULL CHECK (metric <> ''),
    unit      TEXT NOT NULL CHECK (unit = 'ns'),
    corrected INTEGER NOT NULL CHECK (corrected IN (0, 1)), -- for coordinated omission
    counts    INTEGER NOT NULL CHECK (counts >= 0),         -- with the overflow
    overflow  INTEGER NOT NULL CHECK (overflow BETWEEN 0 AND counts), -- above 137 s: not in the buckets
    negative  INTEGER NOT NULL CHECK (negative >= 0),       -- below 0: not in counts
    min       INTEGER NOT NULL,
    mean      REAL NOT NULL,
    p50       INTEGER NOT NULL,
    p90       INTEGER NOT NULL,
    p99       INTEGER NOT NULL,
    p99_9     INTEGER NOT NULL,
    max       INTEGER NOT NULL,
    buckets   BLOB NOT NULL, -- HdrHistogram's V2 encoding, not compressed: 3 digits, 1 to 2^37 - 1
    PRIMARY KEY (trial_id, metric, corrected)
) STRICT;

CREATE TABLE sample ( -- a quantity over the time of a run of a benchmark, thinned out, for plots
    trial_id INTEGER NOT NULL REFERENCES trial ON DELETE CASCADE,
    metric   TEXT NOT NULL CHECK (metric <> ''),
    number   INTEGER NOT NULL CHECK (number >= 0),
    time_s   REAL NOT NULL, -- since the run began
    value    REAL,          -- NULL: it had none then
    apart    INTEGER NOT NULL CHECK (apart IN (0, 1)), -- a stall of the machine touched it
    PRIMARY KEY (trial_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE process_event ( -- life of the trial's processes
    trial_id   INTEGER NOT NULL REFERENCES trial ON DELETE CASCADE,
    number     INTEGER NOT NULL CHECK (number >= 0),
    time_s     REAL NOT NULL,
    process    TEXT NOT NULL,
    component  TEXT NOT NULL, -- "" for the simulated robot and the operator
    generation INTEGER NOT NULL CHECK (generation >= 0), -- 0 first start, 1 first restart
    kind       TEXT NOT NULL CHECK (kind IN ('started', 'ready', 'exited', 'killed', 'stopped', 'continued', 'hung')),
    value      INTEGER NOT NULL, -- exit status or signal
    pid        INTEGER NOT NULL, -- in the cell's PID namespace
    last_words TEXT NOT NULL,    -- last lines of its log, when it ended
    PRIMARY KEY (trial_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE judging ( -- one judgement of one trial's history; the highest number is the one in force
    judging_id INTEGER PRIMARY KEY,
    trial_id   INTEGER NOT NULL REFERENCES trial ON DELETE CASCADE,
    number     INTEGER NOT NULL CHECK (number >= 0), -- 0: when the trial ran
    build_id   INTEGER NOT NULL REFERENCES build,    -- the lab that judged
    judged_utc TEXT NOT NULL,
    verdict    TEXT NOT NULL CHECK (verdict IN ('PASS', 'FAIL', 'ERROR', 'SKIP')), -- the worst of its verdicts
    UNIQUE (trial_id, number)
) STRICT;

CREATE TABLE verdict ( -- of one oracle
    judging_id INTEGER NOT NULL REFERENCES judging ON DELETE CASCADE,
    oracle     TEXT NOT NULL,
    verdict    TEXT NOT NULL CHECK (verdict IN ('PASS', 'FAIL', 'ERROR', 'SKIP')),
    margin     REAL, -- signed distance to the threshold, in `unit`; positive holds
    unit       TEXT NOT NULL,
    detail     TEXT NOT NULL,
    broken_s   REAL, -- when it was first broken; NULL: never, or its oracle does not say
    PRIMARY KEY (judging_id, oracle)
) STRICT, WITHOUT ROWID;

CREATE TABLE observation ( -- what the target was seen to do: a row for each observation of its file and its packs
    judging_id INTEGER NOT NULL REFERENCES judging ON DELETE CASCADE,
    number     INTEGER NOT NULL CHECK (number >= 0), -- its place in the target's file
    name       TEXT NOT NULL CHECK (name <> ''),
    value      REAL, -- in `unit`; NULL: none
    unit       TEXT NOT NULL,
    text       TEXT NOT NULL, -- what was said; '': nothing
    reason     TEXT NOT NULL CHECK (reason = '' OR (value IS NULL AND text = '')), -- why it could not be told
    PRIMARY KEY (judging_id, number),
    UNIQUE (judging_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE night ( -- a run of `ukemi night`
    night_id      INTEGER PRIMARY KEY,
    name          TEXT NOT NULL, -- of its file
    file          TEXT NOT NULL,
    budget_s      REAL NOT NULL CHECK (budget_s > 0),
    spent_s       REAL NOT NULL DEFAULT 0 CHECK (spent_s >= 0), -- (later) of it
    judging_first INTEGER NOT NULL, -- a trial of its campaigns was run in it, or later, if its first judging has this number or a higher one
    started_utc   TEXT NOT NULL,
    finished_utc  TEXT -- (later) NULL: not finished, `ukemi night` goes on with it
) STRICT;

CREATE TABLE night_part ( -- what a night was to run
    night_id    INTEGER NOT NULL REFERENCES night ON DELETE CASCADE,
    position    INTEGER NOT NULL CHECK (position >= 0), -- in its file
    name        TEXT NOT NULL, -- of the campaign
    priority    INTEGER NOT NULL, -- the lowest was run first
    campaign_id INTEGER REFERENCES campaign ON DELETE SET NULL, -- (later) NULL: nothing of it was run
    ended       TEXT NOT NULL DEFAULT 'not begun' -- (later)
                CHECK (ended IN ('not begun', 'begun', 'finished', 'out of time', 'trials lost', 'failed')),
    planned     INTEGER NOT NULL DEFAULT 0 CHECK (planned >= 0), -- (later) trials, and those that were stored by then, in this night and before
    passed      INTEGER NOT NULL DEFAULT 0 CHECK (passed >= 0),
    failed      INTEGER NOT NULL DEFAULT 0 CHECK (failed >= 0),
    errors      INTEGER NOT NULL DEFAULT 0 CHECK (errors >= 0),
    skipped     INTEGER NOT NULL DEFAULT 0 CHECK (skipped >= 0),
    wall_s      REAL NOT NULL DEFAULT 0 CHECK (wall_s >= 0), -- (later)
    PRIMARY KEY (night_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE finding ( -- what did not hold in a night, or in the last run before it: a row for each square and oracle
    night_id    INTEGER NOT NULL REFERENCES night ON DELETE CASCADE,
    campaign    TEXT NOT NULL,
    row_name    TEXT NOT NULL,
    column_name TEXT NOT NULL,
    verdict     TEXT NOT NULL CHECK (verdict IN ('FAIL', 'ERROR')), -- of the oracle
    oracle      TEXT NOT NULL,
    state       TEXT NOT NULL -- back: it had gone; flaky: it came and went with the same contents; known: of the last run before, too;
                              -- gone: trials that showed it were run and do not; not run: not all of them were
                CHECK (state IN ('new', 'back', 'flaky', 'known', 'gone', 'not run')),
    trials      INTEGER NOT NULL CHECK (trials > 0), -- that show it; if gone or not run, that showed it
    trial_id    INTEGER NOT NULL REFERENCES trial ON DELETE CASCADE, -- one of them, with a kept history if there is one
    PRIMARY KEY (night_id, campaign, row_name, column_name, verdict, oracle)
) STRICT, WITHOUT ROWID;

CREATE INDEX night_part_by_campaign ON night_part (campaign_id);
CREATE INDEX session_by_campaign ON session (campaign_id);
CREATE INDEX trial_by_square ON trial (square_id);
CREATE INDEX judging_by_trial ON judging (trial_id, number);
CREATE INDEX square_by_campaign ON square (campaign_id);

-- The trial_id of the next trial of which none is reserved.
CREATE VIEW free_trial AS
SELECT 1 + max(coalesce((SELECT max(trial_id) FROM trial), 0),
               coalesce((SELECT max(trial_first - 1 + (SELECT sum(trials_planned) FROM square AS s WHERE s.campaign_id = c.campaign_id))
                         FROM campaign AS c WHERE trial_first IS NOT NULL), 0)) AS trial_id;

-- The judgement in force of every trial.
CREATE VIEW judging_in_force AS
SELECT * FROM judging AS j
WHERE number = (SELECT max(number) FROM judging WHERE trial_id = j.trial_id);

-- One row per trial with everything a report asks for. `observed` is the first text that an observation says; NULL if none does.
CREATE VIEW trial_view AS
SELECT c.campaign_id, c.position, c.row_name, c.column_name, c.expected, c.claim, t.*, j.judging_id, j.verdict,
       (SELECT text FROM observation AS o WHERE o.judging_id = j.judging_id AND text <> '' ORDER BY o.number LIMIT 1) AS observed
FROM trial AS t
JOIN square AS c USING (square_id)
JOIN judging_in_force AS j USING (trial_id);

-- Every trial that a night ran, with what trial_view has of it.
CREATE VIEW night_trial AS
SELECT n.night_id, n.name AS night, c.name AS campaign, c.digest AS contents, t.*
FROM trial_view AS t JOIN campaign AS c USING (campaign_id) JOIN judging AS first ON first.trial_id = t.trial_id AND first.number = 0
JOIN night AS n ON n.night_id = (SELECT max(m.night_id) FROM night_part AS p JOIN night AS m USING (night_id)
                                 WHERE p.campaign_id = t.campaign_id AND m.judging_first <= first.judging_id);

-- One row per observation in force, with its trial and square.
CREATE VIEW observation_view AS
SELECT c.campaign_id, c.position, c.row_name, c.column_name, t.trial_id, j.verdict, o.*
FROM observation AS o JOIN judging_in_force AS j USING (judging_id) JOIN trial AS t USING (trial_id) JOIN square AS c USING (square_id);

-- What was observed in a judging, in one line: its texts or, if it has none, its first values.
CREATE VIEW observed_words AS
WITH said AS (
    SELECT judging_id, number, name || ': ' || iif(text <> '', text, rtrim(printf('%.4g %s', value, unit))) AS words,
           text <> '' AS is_text, max(text <> '') OVER (PARTITION BY judging_id) AS any_text,
           row_number() OVER (PARTITION BY judging_id, text <> '' ORDER BY number) AS place
    FROM observation WHERE text <> '' OR value IS NOT NULL
)
SELECT judging_id, group_concat(words, '; ') AS words
FROM (SELECT * FROM said WHERE is_text OR (NOT any_text AND place <= 3) ORDER BY judging_id, number) GROUP BY judging_id;

-- How often each text was seen in each square. `total` counts the square's trials that were judged PASS or FAIL with this
-- observation; trials judged ERROR say nothing about the target and are left out.
CREATE VIEW observed_texts AS
SELECT campaign_id, position, row_name, column_name, name, text, count(*) AS trials,
       sum(count(*)) OVER (PARTITION BY campaign_id, row_name, column_name, name) AS total, sum(verdict = 'FAIL') AS failed
FROM observation_view
WHERE text <> '' AND verdict IN ('PASS', 'FAIL')
GROUP BY campaign_id, row_name, column_name, name, text;

-- What a failed trial is known by: the oracle that was broken first, the process that it names (or else the target), and the kinds of
-- faults that acted then; 'calm': none did.
CREATE VIEW signature AS
WITH decisive AS (
    SELECT judging_id, oracle, detail, broken_s, row_number() OVER (PARTITION BY judging_id ORDER BY broken_s NULLS LAST, oracle) AS place
    FROM verdict WHERE verdict = 'FAIL'
)
SELECT t.trial_id, t.campaign_id, t.target, d.oracle, d.detail, d.broken_s,
       coalesce((SELECT process FROM process_event AS e WHERE e.trial_id = t.trial_id
                 AND substr(d.detail, 1, length(e.process) + 1) = e.process || ' ' ORDER BY e.number LIMIT 1), t.target) AS party,
       coalesce((SELECT group_concat(kind, '+') FROM (SELECT DISTINCT kind FROM fault AS f WHERE f.trial_id = t.trial_id
                 AND f.applied_s <= coalesce(d.broken_s, 9e9) AND coalesce(f.undone_s, 9e9) >= coalesce(d.broken_s, 9e9) ORDER BY kind)), 'calm') AS acting
FROM trial_view AS t JOIN decisive AS d ON d.judging_id = t.judging_id AND d.place = 1
WHERE t.verdict = 'FAIL';

-- One row per figure of a benchmark, with its square and run.
CREATE VIEW figure_view AS
SELECT c.campaign_id, p.name AS campaign, c.position, c.row_name AS square, t.number AS run, f.*
FROM figure AS f JOIN trial AS t USING (trial_id) JOIN square AS c USING (square_id) JOIN campaign AS p USING (campaign_id);

-- Verdict counts per square, errors included.
CREATE VIEW square_verdicts AS
SELECT c.campaign_id, c.square_id, c.position, c.row_name, c.column_name, c.expected, c.trials_planned,
       count(v.trial_id) AS trials,
       coalesce(sum(v.verdict = 'PASS'), 0) AS passed, coalesce(sum(v.verdict = 'FAIL'), 0) AS failed,
       coalesce(sum(v.verdict = 'ERROR'), 0) AS errors, coalesce(sum(v.verdict = 'SKIP'), 0) AS skipped
FROM square AS c LEFT JOIN trial_view AS v USING (square_id)
GROUP BY c.square_id;

-- The smallest margin of every oracle in every square: how close the target came to its limits.
CREATE VIEW worst_margin AS
SELECT t.campaign_id, t.row_name, t.column_name, v.oracle, v.unit, min(v.margin) AS margin, t.trial_id, v.detail,
       sum(v.verdict = 'FAIL') AS failed, sum(v.verdict = 'ERROR') AS errors, count(*) AS judged
FROM trial_view AS t JOIN verdict AS v USING (judging_id)
GROUP BY t.campaign_id, t.row_name, t.column_name, v.oracle;

-- Squares of which something is expected: whether a judged trial says something about it, and whether what was observed most often is that.
CREATE VIEW square_agreement AS
WITH seen AS (
    SELECT campaign_id, position, text,
           row_number() OVER (PARTITION BY campaign_id, position, name
                              ORDER BY trials DESC, lower(text) = lower(expected) DESC, text) AS rank
    FROM observed_texts JOIN square USING (campaign_id, position) WHERE expected <> ''
)
SELECT c.campaign_id, c.square_id, c.position, c.row_name, c.column_name, c.expected, count(s.text) > 0 AS tried,
       coalesce(max(lower(s.text) = lower(c.expected)), 0) AS agrees
FROM square AS c LEFT JOIN seen AS s ON s.campaign_id = c.campaign_id AND s.position = c.position AND s.rank = 1
WHERE c.expected <> '' GROUP BY c.square_id;

-- The same in a sentence for each campaign that expects something.
CREATE VIEW campaign_agreement AS
SELECT campaign_id, sum(agrees) AS agree, count(*) AS expected, sum(NOT tried) AS untried,
       printf('%d of %d square%s as expected%s', sum(agrees), count(*), iif(count(*) = 1, '', 's'),
              iif(sum(NOT tried), printf(', %d not judged', sum(NOT tried)), '')) AS words
FROM square_agreement GROUP BY campaign_id;
