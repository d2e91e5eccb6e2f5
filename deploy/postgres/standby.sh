#!/bin/sh
# Starts a standby of the server `postgres`. The first start copies its data.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  [ -n "${REPLICATION_PASSWORD:-}" ] || REPLICATION_PASSWORD=$(cat /run/secrets/REPLICATION_PASSWORD)
  export PGPASSWORD="$REPLICATION_PASSWORD"
  mkdir -p "$PGDATA"
  chown -R postgres:postgres "$PGDATA"
  chmod 700 "$PGDATA"
  primary="host=${PRIMARY_HOST:-postgres} port=${PRIMARY_PORT:-5432} user=parley_replication application_name=standby"
  # An earlier copy, also one that was cut off, has left its slot.
  psql "$primary replication=true" --command 'DROP_REPLICATION_SLOT parley_standby' > /dev/null 2>&1 || true
  ${AS_POSTGRES-gosu postgres} pg_basebackup --pgdata "$PGDATA" --wal-method stream --checkpoint fast \
    --write-recovery-conf --create-slot --slot parley_standby --dbname "$primary"
  # Once it is promoted, its commits must not wait for a standby that does not exist.
  settings="$PGDATA/postgresql.auto.conf"
  sed '/^synchronous_standby_names/d' "$settings" > "$settings.new"
  cat "$settings.new" > "$settings"
  rm "$settings.new"
fi
exec docker-entrypoint.sh "${@:-postgres}"
