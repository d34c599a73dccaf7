-- What the page of the benchmark `channels` starts from. Its squares are "two cores, SCHED_FIFO, 1 reader, 64 B", its metrics "ukemi median".

CREATE TEMP TABLE mechanism (place INTEGER PRIMARY KEY, name TEXT, kind TEXT);
INSERT INTO mechanism VALUES (1, 'futex', 'limit'), (2, 'futex-timed', 'limit'), (3, 'ukemi', 'ours'),
    (4, 'pipe', 'kernel'), (5, 'mqueue', 'kernel'), (6, 'seqpacket', 'kernel'),
    (7, 'iceoryx', 'peer'), (8, 'LCM', 'peer'), (9, 'ZeroMQ', 'peer'), (10, 'Cyclone DDS', 'peer');

-- One row per figure of a latency, its square taken apart.
CREATE TEMP VIEW taken_apart AS
WITH apart AS (
    SELECT position, run, metric, value, substr(square, 1, instr(square, ',') - 1) AS cores,
           substr(square, instr(square, 'SCHED_'), instr(substr(square, instr(square, 'SCHED_')), ',') - 1) AS policy,
           substr(square, instr(square, 'SCHED_')) AS tail
    FROM figure_view JOIN chosen USING (campaign_id) WHERE square LIKE '%, SCHED_%, % reader%, % B')
SELECT position, run, metric, value, cores, policy, CAST(substr(tail, instr(tail, ', ') + 2) AS INTEGER) AS readers,
       CAST(substr(tail, instr(tail, ' reader') + CASE WHEN tail LIKE '% readers, %' THEN 10 ELSE 9 END) AS INTEGER) AS size_B
FROM apart;

-- One row per setting, size and mechanism: medians of the runs, and the least and the most of their ratios.
CREATE TEMP VIEW latency AS
SELECT f.position, f.cores, f.policy, f.readers, f.size_B, m.place, m.name, m.kind,
       median(CASE WHEN f.metric = m.name || ' median' THEN f.value END) AS median_us,
       median(CASE WHEN f.metric = m.name || ' p99' THEN f.value END) AS p99_us,
       median(CASE WHEN f.metric = m.name || ' per futex' THEN f.value END) AS ratio,
       min(CASE WHEN f.metric = m.name || ' per futex' THEN f.value END) AS ratio_least,
       max(CASE WHEN f.metric = m.name || ' per futex' THEN f.value END) AS ratio_most
FROM taken_apart AS f JOIN mechanism AS m ON f.metric IN (m.name || ' median', m.name || ' p99', m.name || ' per futex')
GROUP BY f.position, m.place;

-- What the plots show: with real-time priority, if that was measured.
CREATE TEMP VIEW plotted AS
SELECT cores || ', ' || CASE WHEN size_B < 1000 THEN size_B || ' B' WHEN size_B % 1024 = 0 THEN (size_B / 1024) || ' KB'
                        ELSE round(size_B / 1000.0, 1) || ' KB' END AS panel,
       (SELECT count(DISTINCT s.size_B) FROM latency AS s WHERE s.size_B < l.size_B) AS place_of_size,
       (SELECT count(DISTINCT size_B) FROM latency) AS sizes, cores = 'one core' AS one_core,
       readers, place, name, kind, median_us, p99_us, ratio, ratio_least, ratio_most
FROM latency AS l WHERE policy = (SELECT min(policy) FROM latency); -- SCHED_FIFO before SCHED_OTHER

-- Who of those that publish and subscribe was first, per setting and size, with real-time priority.
CREATE TEMP VIEW ahead AS
SELECT position, name AS best, min(median_us) FROM latency
WHERE policy = (SELECT min(policy) FROM latency) AND kind IN ('peer', 'ours') GROUP BY position;
