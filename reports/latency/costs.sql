SELECT label, stage, quantile, signed_decimal(median_us, 1) AS median, signed_decimal(low_us, 1) AS low, signed_decimal(high_us, 1) AS high
FROM cost ORDER BY number
