SELECT DISTINCT place, name FROM latency WHERE cores = :cores AND policy = :policy AND readers = :readers ORDER BY place
