#!/bin/sh
# Creates a role and a schema for each service, closed to the other services. The image of PostgreSQL runs it on an
# empty data folder. Run it again after an update that adds a service: it creates what is missing and sets passwords.
set -eu
. "${SERVICES_FILE:-$(dirname "$0")/../services.sh}"
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
  eval "password=\$$variable"
  run -v role="parley_$service" -v schema="$service" -v password="$password" <<'SQL'
select format('create role %I login', :'role') where to_regrole(:'role') is null \gexec
alter role :"role" password :'password';
grant connect on database :"DBNAME" to :"role";
select format('create schema %I authorization %I', :'schema', :'role')
where to_regnamespace(:'schema') is null \gexec
alter role :"role" in database :"DBNAME" set search_path = :"schema";
SQL
done
