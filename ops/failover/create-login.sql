-- Makes the login of Cellarhand, which owns its database and may create its two roles. It is no superuser.
-- psql --set password=… --file create-login.sql
create role cellarhand login createrole password :'password';
create database cellarhand owner cellarhand;
