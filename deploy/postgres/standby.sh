#!/bin/sh
# Starts a standby of the server `postgres`. The first start copies its data.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  [ -n "${REPLICATION_PASSWORD:-}" ] || REPLICATION_PASSWORD=$(cat /run/secrets/REPLICATION_PASSWORD)
  export PGPASSWORD="$REPLICATION_PASSWORD"
  mkdir -p "$PGDATA"
  chown -R postgres:postgres "$PGDATA"
  chmod 700 "$PGDATA"
  ${AS_POSTGRES-gosu postgres} pg_basebackup --pgdata "$PGDATA" --wal-method stream --checkpoint fast \
    --write-recovery-conf --create-slot --slot parley_standby \
    --dbname "host=${PRIMARY_HOST:-postgres} port=${PRIMARY_PORT:-5432} user=parley_replication application_name=standby"
fi
exec docker-entrypoint.sh "${@:-postgres}"
