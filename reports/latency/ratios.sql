SELECT name, quantile, decimal(median, 2) AS median, decimal(low, 2) AS low, decimal(high, 2) AS high FROM ratio WHERE configuration = :number
