-- A block per period: size, then what sending and receiving take, median and the p99.9 of the worst run [us].
SELECT p.period_us || ' us' AS block, p.size_B, p.value AS sent, s.most AS sent_most, r.value AS received, t.most AS received_most
FROM point AS p JOIN point AS s USING (position) JOIN point AS r USING (position) JOIN point AS t USING (position)
WHERE NOT p.board AND p.metric = 'send median' AND s.metric = 'send p99.9' AND r.metric = 'receive median' AND t.metric = 'receive p99.9'
ORDER BY p.period_us DESC, p.size_B
