-- What the page of the benchmark `interference` starts from: who owes what, in the order of the columns.
CREATE TEMP TABLE owed (place INTEGER PRIMARY KEY, who TEXT);
INSERT INTO owed VALUES (1, 'hardware state'), (2, 'balance command'), (3, 'control reference'), (4, 'hardware send');
