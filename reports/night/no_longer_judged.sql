-- Squares that were judged before, and tonight only skipped.
SELECT s.campaign, s.square, s.n FROM square_now AS s WHERE s.skipped = s.n AND EXISTS (
    SELECT 1 FROM before AS b WHERE b.campaign = s.campaign AND b.row_name = s.row_name AND b.column_name = s.column_name AND b.verdict <> 'SKIP') ORDER BY s.campaign, s.position
