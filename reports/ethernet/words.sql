-- What the paper says of its figures, and what was measured here.
SELECT 'Fig. 8' AS figure, 'maximum errors are almost all under 2 us' AS paper,
       (SELECT printf('medians %.1f to %.1f us', min(value), max(value)) FROM point WHERE NOT board AND metric = 'send period error median') AS here
UNION ALL SELECT 'Fig. 8', '1000 B at 100 us, and at 50 us, have about 8 us error',
       (SELECT printf('medians %.1f to %.1f us', min(value), max(value)) FROM point WHERE NOT board AND metric = 'send period error median' AND (period_us = 50 OR (period_us = 100 AND size_B = 1000)))
UNION ALL SELECT 'Fig. 8', '1500 B at 100 us, 1000 and 1500 B at 50 us are not done: more than 100 Mbit/s',
       (SELECT count(DISTINCT position) || ' of 30 are done, these not' FROM point WHERE NOT board)
UNION ALL SELECT 'Fig. 9', 'EtherRTSend and EtherRTRecv take about 200 us',
       (SELECT printf('%.0f us, declared', value * 2) FROM point WHERE board AND metric = 'board send median' LIMIT 1)
UNION ALL SELECT 'Fig. 9', 'so 100 and 50 us were skipped',
       (SELECT printf('%.0f us off at 100 us, %.0f us at 50 us: ticks are missed', max(iif(period_us = 100, value, 0)), max(iif(period_us = 50, value, 0))) FROM point WHERE board AND metric = 'board period error median')
UNION ALL SELECT 'Fig. 9', '1500 B at 1000 us: maximum period error about 7 us',
       (SELECT printf('%.1f us', value) FROM point WHERE board AND period_us = 1000 AND size_B = 1500 AND metric = 'board period error median')
