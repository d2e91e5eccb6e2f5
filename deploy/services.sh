# Generated from packages/contracts/src/services.ts by `npm run generate`.
# shellcheck shell=sh disable=SC2034
# The services that own a schema, in the order of an update.
database_services='identity customer interaction webhook insight'
services='identity customer interaction webhook insight gateway'
# The services that a deployment may leave out.
optional_services='insight'
# The order of dumps that are not of one instant.
backup_order='customer webhook insight interaction identity'
keyrings='identity:CREDENTIAL_PEPPERS identity:ENCRYPTION_KEYS customer:ENCRYPTION_KEYS interaction:LINK_KEYS webhook:ENCRYPTION_KEYS gateway:SESSION_KEYS'
own_secrets='identity:CREDENTIAL_PEPPERS identity:ENCRYPTION_KEYS identity:OIDC_CLIENT_SECRET customer:ENCRYPTION_KEYS interaction:LINK_KEYS interaction:LLM_API_KEY webhook:ENCRYPTION_KEYS webhook:WEBHOOK_EGRESS_PROXY gateway:SESSION_KEYS'
optional_secrets='OIDC_CLIENT_SECRET LLM_API_KEY WEBHOOK_EGRESS_PROXY'
