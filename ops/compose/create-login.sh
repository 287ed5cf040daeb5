#!/bin/sh
# Makes a login that owns its database and may create the two roles. It is no superuser.
set -e
psql --username "$POSTGRES_USER" --set password="$DATABASE_PASSWORD" <<'SQL'
create role cellarhand login createrole password :'password';
create database cellarhand owner cellarhand;
SQL
