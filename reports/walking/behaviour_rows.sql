-- Table I as a flat list: one row per square and behaviour, the commonest first; shares as 95 % Wilson intervals.
SELECT b.row_name, b.class, b.words, b.k, b.n, printf('%.4f', wilson_low(b.k, b.n)) AS low,
       printf('%.4f', wilson_high(b.k, b.n)) AS high, b.expected, b.is_expected, s.agreement, s.falls, s.n_outside, s.falls_outside
FROM behaviour AS b JOIN summary AS s USING (row_name, class) ORDER BY s.position, s.number, b.rank
