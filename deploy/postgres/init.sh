#!/bin/sh
# Creates a role and a schema for each service, closed to the other services. The image of PostgreSQL runs it once, on
# an empty data folder.
set -eu
psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<SQL
revoke all on database :"DBNAME" from public;
revoke all on schema public from public;
-- Large objects belong to no schema, so no service would see or delete them.
revoke execute on function lo_creat(int), lo_create(oid), lo_from_bytea(oid, bytea) from public;
SQL
for service in identity customer interaction webhook; do
  variable=$(echo "${service}_PASSWORD" | tr '[:lower:]' '[:upper:]')
  eval "password=\$$variable"
  psql -v ON_ERROR_STOP=1 -v role="parley_$service" -v schema="$service" -v password="$password" \
    --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
create role :"role" login password :'password';
grant connect on database :"DBNAME" to :"role";
create schema :"schema" authorization :"role";
alter role :"role" in database :"DBNAME" set search_path = :"schema";
SQL
done
