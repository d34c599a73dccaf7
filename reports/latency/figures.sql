-- What else a configuration has: counts, shares and ratios, but neither quantiles nor plans.
SELECT metric, unit, printf('%.5g', value) AS median, printf('%.5g', least) AS least, printf('%.5g', most) AS most FROM middle
WHERE position = :position AND metric NOT LIKE '% planned' AND metric NOT IN ('period', 'bound', 'bound''s quantile', 'stages in a row', 'stages before the start', 'stages in all') AND (metric LIKE '% / machine %' OR unit <> 'us') ORDER BY metric
