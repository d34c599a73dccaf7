-- A block per scheme, a point per trial and hop.
SELECT column_name AS block, hop, rms_us FROM hop ORDER BY column_name, hop
