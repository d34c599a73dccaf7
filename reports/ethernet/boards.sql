-- A block per period of the boards: size, period error and processing time, sending and receiving together [us].
SELECT p.period_us || ' us' AS block, p.size_B, p.value AS error, s.value + r.value AS processing
FROM point AS p JOIN point AS s USING (position) JOIN point AS r USING (position)
WHERE p.board AND p.metric = 'board period error median' AND s.metric = 'board send median' AND r.metric = 'board receive median'
ORDER BY p.period_us DESC, p.size_B
