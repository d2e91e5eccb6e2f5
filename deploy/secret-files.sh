# Part of make-env: writes secrets as files, a folder for each container.
# shellcheck shell=sh disable=SC2154

telemetry_headers=PARLEY_OTEL_EXPORTER_OTLP_HEADERS
secret_names="$telemetry_headers|"'(.*_)?RPC_TOKEN|OPERATOR_TOKEN|.*_(DATABASE|NATS)_URL|.*_KEYS'
for pair in $own_secrets; do secret_names="$secret_names|${pair#*:}"; done
secret_names="$secret_names|(NATS_.*|POSTGRES|REPLICATION"
for service in $database_services; do secret_names="$secret_names|$(upper "$service")"; done
secret_names="$secret_names)_PASSWORD"

# Their containers get the path of the file only if there is one.
optional_names="$optional_secrets $telemetry_headers"
for service in $database_services; do
  optional_names="$optional_names $(upper "$service")_MIGRATION_DATABASE_URL"
done

# Writes a secret for a container, which runs as another user: put CONTAINER NAME VALUE. None without a value.
put() {
  mkdir -p "$folder/secrets/$1"
  # The folder above is closed to others.
  chmod 755 "$folder/secrets/$1"
  if [ -z "$3" ]; then rm -f "$folder/secrets/$1/$2"; return; fi
  printf '%s\n' "$3" > "$folder/secrets/$1/$2.new"
  chmod 444 "$folder/secrets/$1/$2.new"
  mv "$folder/secrets/$1/$2.new" "$folder/secrets/$1/$2"
}

first_of() { for value; do [ -z "$value" ] || { printf %s "$value"; return; }; done; }

# Moves the secrets out of the file of variables, and writes each container's.
write_secret_files() {
  mkdir -p "$folder/secrets"
  chmod 700 "$folder/secrets"
  for name in postgres replication $database_services; do
    put postgres "$(upper "$name")_PASSWORD" "$(value_of "$(upper "$name")_PASSWORD")"
  done
  for user in $services admin; do
    put nats "NATS_$(upper "$user")_PASSWORD" "$(value_of "NATS_$(upper "$user")_PASSWORD")"
  done
  host=$(first_of "$(value_of POSTGRES_HOST)" postgres)
  for service in $services; do
    own=$(upper "$service")
    put "$service" RPC_TOKEN "$(first_of "$(value_of "${own}_RPC_TOKEN")" "$(value_of RPC_TOKEN)")"
    put "$service" OTEL_EXPORTER_OTLP_HEADERS "$(value_of "$telemetry_headers")"
    password=$(value_of "NATS_${own}_PASSWORD")
    put "$service" NATS_URL "$(first_of "$(value_of "${own}_NATS_URL")" "nats://$service:$password@nats:4222")"
    case " $database_services " in *" $service "*) ;; *) continue ;; esac
    url="postgres://parley_$service:$(value_of "${own}_PASSWORD")@$host:5432/parley"
    put "$service" DATABASE_URL "$(first_of "$(value_of "${own}_DATABASE_URL")" "$url")"
    put "$service" MIGRATION_DATABASE_URL "$(value_of "${own}_MIGRATION_DATABASE_URL")"
  done
  for pair in $own_secrets; do
    name=${pair#*:}
    put "${pair%%:*}" "$name" "$(first_of "$(value_of "$(variable_of "$pair")")" "$(value_of "$name")")"
  done
  for name in $optional_names; do
    case "$name" in *_MIGRATION_DATABASE_URL) of=MIGRATION_DATABASE_URL ;; PARLEY_*) of=${name#PARLEY_} ;; *) of=$name ;; esac
    [ -z "$(value_of "$name")" ] || has "${name}_FILE" || add "${name}_FILE" "/run/secrets/$of"
  done
  # The networks of a service depend on it.
  grep -vE '^([A-Z]+_(DATABASE|NATS)|DATABASES|NATS)_OUTSIDE=' "$unfinished" > "$unfinished.settings"
  mv "$unfinished.settings" "$unfinished"
  for service in $services; do
    for store in DATABASE NATS; do
      own=$(upper "$service")_$store
      [ -z "$(value_of "${own}_URL")" ] || echo "${own}_OUTSIDE=1" >> "$unfinished"
    done
  done
  has SECRETS_FOLDER || add SECRETS_FOLDER ./secrets
  # The last line of a name is its value.
  grep -E "^($secret_names)=" "$unfinished" |
    awk -F= '!($1 in value) { names[++count] = $1 } { value[$1] = $0 }
      END { for (i = 1; i <= count; i++) print value[names[i]] }' > "$secrets"
  grep -vE "^($secret_names)=" "$unfinished" > "$unfinished.settings"
  mv "$unfinished.settings" "$unfinished"
}
