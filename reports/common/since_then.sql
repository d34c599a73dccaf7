-- What has changed since the trials were run before, in one row; none if no trial was.
WITH n AS (
    SELECT count(before_campaign) AS compared, count(*) - count(before_campaign) AS fresh, sum(change = 'broken') AS broken,
           sum(change = 'still') AS still, sum(change = 'fixed') AS fixed, sum(change = 'otherwise') AS otherwise, sum(change = 'moved') AS moved,
           sum(change = 'skipped') AS no_longer, sum(change = 'same') AS same, sum(verdict <> 'SKIP') AS judged, min(before_campaign) AS oldest, max(before_campaign) AS newest,
           max(other_build) AS other_build, max(other_machine) AS other_machine, max(clock_mode) AS clock,
           sum(change = 'moved' AND NOT other_build AND NOT other_machine) AS moved_alike
    FROM since
), gone AS (
    SELECT count(*) AS gone FROM run AS b
    WHERE b.campaign_id = (SELECT newest FROM n) AND NOT EXISTS (
        SELECT 1 FROM run AS now WHERE now.campaign_id = (SELECT campaign_id FROM chosen) AND now.row_name = b.row_name
           AND now.column_name = b.column_name AND now.scenario = b.scenario AND now.seed = b.seed AND now.clock_mode = b.clock_mode)
)
SELECT n.compared, n.broken, n.still, n.fixed, n.otherwise, n.moved, n.no_longer, n.same,
       iif(n.broken, 'bad', iif(n.judged, 'good', '')) AS broken_tone, iif(n.no_longer, 'bad', '') AS no_longer_tone, 'campaign ' || n.newest AS newest_name,
       w.words || CASE WHEN n.oldest < n.newest THEN ' and earlier ones' ELSE '' END AS with_what,
       n.compared || ' ' || plural(n.compared, 'trial') || CASE WHEN n.fresh THEN ' of ' || (n.compared + n.fresh) ELSE '' END AS compared_words,
       iif(n.clock = 'virtual', 'the same bit for bit', 'the same in verdict and behaviour') AS same_words,
       iif(n.clock = 'virtual', 'Same bit for bit', 'Alike') AS same_title,
       CASE WHEN n.broken + n.otherwise + n.no_longer + n.fixed = 0 THEN '' ELSE 'yes' END AS changed,
       iif(n.otherwise = 1, 'behaves', 'behave') AS otherwise_word, iif(gone.gone, gone.gone, '') AS gone, plural(gone.gone, 'trial') AS gone_word,
       iif(gone.gone = 1, 'is', 'are') AS gone_are,
       iif(n.clock = 'virtual', 'yes', '') AS is_virtual,
       CASE WHEN n.other_build AND n.other_machine THEN 'Lab or libraries, and the machine, are other ones than then.'
            WHEN n.other_build THEN 'The machine is the one of then; lab or libraries are not.'
            WHEN n.other_machine THEN 'Lab and libraries are those of then; the machine is another one.'
            ELSE 'Lab, libraries and machine are those of then.' END AS different,
       iif(n.moved_alike, n.moved_alike, '') AS moved_alike, iif(n.moved_alike = 1, 'trial has', 'trials have') AS moved_word
FROM n, gone JOIN campaign_words AS w ON w.campaign_id = n.newest
WHERE n.compared > 0
