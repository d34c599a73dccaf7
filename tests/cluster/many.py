#!/usr/bin/python3
"""many.py FROM.db FOLDER TRIALS PARTS: parts FOLDER/N.db of a campaign of so many trials, made of those that FROM.db has.

A trial is one of its square again, with another number, seed and history, which is not kept. So the parts are what shards of that campaign
would leave, without anything that was run; they show what merging and reporting cost."""
import os
import shutil
import sqlite3
import sys

source, folder, trials, parts = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])


def copies(db, table, key, of):
    """The rows of a model in `table`, once for each new trial or judging."""
    names = [r[1] for r in db.execute(f"PRAGMA table_info({table})") if r[1] != key]
    columns = ", ".join(names)
    db.execute(f"INSERT INTO {table} ({key}, {columns}) SELECT new.{of}, {', '.join('m.' + n for n in names)}"
               f" FROM new JOIN {table} AS m ON m.{key} = new.model_{of}")


def make(path, part):
    for suffix in ("", "-histories"):
        target = path + suffix
        shutil.rmtree(target, ignore_errors=True) if os.path.isdir(target) else os.path.exists(target) and os.remove(target)
    shutil.copyfile(source, path)
    db = sqlite3.connect(path, isolation_level=None)
    for line in ("PRAGMA synchronous = OFF", "PRAGMA foreign_keys = OFF", "BEGIN"):
        db.execute(line)
    squares = [r[0] for r in db.execute("SELECT square_id FROM square ORDER BY position")]
    models = [db.execute("SELECT trial_id, judging_id FROM trial JOIN judging USING (trial_id) WHERE square_id = ? ORDER BY 1",
                         (s,)).fetchall() for s in squares]
    first, = db.execute("SELECT trial_first FROM campaign").fetchone()
    db.execute("CREATE TEMP TABLE new (trial INTEGER PRIMARY KEY, judging, square_id, number, model_trial, model_judging)")
    each = trials // len(squares)
    above = 1000 + trials  # beyond the models' own numbers
    db.executemany("INSERT INTO new VALUES (?, ?, ?, ?, ?, ?)", (
        (first + above + i, above + i, squares[i % len(squares)], i // len(squares), *models[i % len(squares)][i // len(squares) % len(models[i % len(squares)])])
        for i in range(each * len(squares)) if i % parts == part))
    names = [r[1] for r in db.execute("PRAGMA table_info(trial)")]
    own = {"trial_id": "new.trial", "square_id": "new.square_id", "number": "new.number", "seed": "1000 + new.number * 7",
           "history_hash": "lower(printf('%032x', new.number * 1000003 + new.square_id))", "history_path": "NULL", "is_example": "0",
           "recheck_hash": "NULL"}
    values = ", ".join(own.get(n, "m." + n) for n in names)
    old = [r[0] for r in db.execute("SELECT trial_id FROM trial")]
    db.execute("UPDATE trial SET number = number + 1000000000")  # the models make room
    db.execute(f"INSERT INTO trial ({', '.join(names)}) SELECT {values} FROM new JOIN trial AS m ON m.trial_id = new.model_trial")
    for table in ("fault", "bus_load", "process_event"):
        copies(db, table, "trial_id", "trial")
    names = [r[1] for r in db.execute("PRAGMA table_info(judging)")]
    own = {"judging_id": "new.judging", "trial_id": "new.trial"}
    db.execute(f"INSERT INTO judging ({', '.join(names)}) SELECT {', '.join(own.get(n, 'm.' + n) for n in names)}"
               " FROM new JOIN judging AS m ON m.judging_id = new.model_judging")
    for table in ("verdict", "observation"):
        copies(db, table, "judging_id", "judging")
    for trial in old:
        for table in ("verdict", "observation"):
            db.execute(f"DELETE FROM {table} WHERE judging_id IN (SELECT judging_id FROM judging WHERE trial_id = ?)", (trial,))
        for table in ("fault", "bus_load", "process_event", "judging", "trial"):
            db.execute(f"DELETE FROM {table} WHERE trial_id = ?", (trial,))
    db.execute("UPDATE square SET trials_planned = ?", (each,))
    db.execute("UPDATE campaign SET finished_utc = NULL")
    db.execute("UPDATE session SET shard = ?, shards = ?", (part, parts))
    db.execute("COMMIT")
    db.close()


os.makedirs(folder, exist_ok=True)
for part in range(parts):
    make(os.path.join(folder, f"{part}.db"), part)
