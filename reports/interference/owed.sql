SELECT who FROM owed ORDER BY place
