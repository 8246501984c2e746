#!/bin/bash
# Runs once, on an empty database: the logins of the processes, each with its own password.
# `holdfast migrate` finds them and creates the other roles.
set -euo pipefail
for process in api worker; do
  password=$(cat "${SECRETS_FOLDER:-/run/secrets}/${process}_password")
  psql --quiet --set ON_ERROR_STOP=1 --set login="holdfast_${process}" --set password="$password" \
    --username postgres --dbname "$POSTGRES_DB" <<'SQL'
create role :"login" login noinherit password :'password';
SQL
done
