#!/bin/sh
# PostgreSQL in a database folder of its own, which it makes when it starts for the first time.
bin=$(echo /usr/lib/postgresql/*/bin)
data=/tmp/data
[ -f $data/PG_VERSION ] || "$bin/initdb" -D $data -A trust -U writer --no-sync --no-locale || exit 1
exec "$bin/postgres" -D $data -p 25432 -h 127.0.0.1 -k '' -c logging_collector=off
