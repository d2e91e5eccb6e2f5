# Generated from packages/contracts/src/services.ts by `npm run generate`.
# shellcheck shell=sh disable=SC2034
# Those that own a schema, in the order of an update.
database_services='identity customer interaction webhook insight'
services='identity customer interaction webhook insight gateway'
# Those that a deployment may leave out.
optional_services='insight'
