#!/bin/sh
# Creates a role and a schema for each service, closed to the other services. The image of PostgreSQL runs it on an
# empty data folder. Run it again after an update that adds a service: it creates what is missing and sets passwords.
set -eu
. "${SERVICES_FILE:-$(dirname "$0")/../services.sh}"
# Prints a password: the variable, or the file of that name.
password_of() {
  eval "value=\${$1:-}"
  if [ -z "$value" ] && [ -f "/run/secrets/$1" ]; then value=$(cat "/run/secrets/$1"); fi
  printf %s "$value"
}
run() {
  psql -v ON_ERROR_STOP=1 --quiet --username "${POSTGRES_USER:-postgres}" --dbname "$POSTGRES_DB" "$@"
}
run <<SQL
revoke all on database :"DBNAME" from public;
revoke all on schema public from public;
-- Large objects belong to no schema, so no service would see or delete them.
revoke execute on function lo_creat(int), lo_create(oid), lo_from_bytea(oid, bytea) from public;
SQL
for service in $database_services; do
  variable=$(echo "${service}_PASSWORD" | tr '[:lower:]' '[:upper:]')
  password=$(password_of "$variable")
  run -v role="parley_$service" -v schema="$service" -v password="$password" <<'SQL'
select format('create role %I login', :'role') where to_regrole(:'role') is null \gexec
alter role :"role" password :'password';
grant connect on database :"DBNAME" to :"role";
select format('create schema %I authorization %I', :'schema', :'role')
where to_regnamespace(:'schema') is null \gexec
alter role :"role" in database :"DBNAME" set search_path = :"schema";
SQL
done

# For a standby. The image lets only roles of databases in.
password=$(password_of REPLICATION_PASSWORD)
[ -n "$password" ] || exit 0
run -v password="$password" <<'SQL'
select 'create role parley_replication login replication' where to_regrole('parley_replication') is null \gexec
alter role parley_replication password :'password';
SQL
line='host replication parley_replication all scram-sha-256'
grep -qxF "$line" "$PGDATA/pg_hba.conf" || echo "$line" >> "$PGDATA/pg_hba.conf"
run --output /dev/null --command 'select pg_reload_conf()'
