import {
  backupOrder,
  databaseServices,
  optionalServices,
  ownSecretsOf,
  serviceNames,
  services,
} from '@parley/contracts/services';

/** Returns deploy/services.sh, which the scripts of deploy source. */
export function servicesDocument(): string {
  const optionalSecrets = serviceNames.flatMap((name) => services[name].optionalSecrets ?? []);
  return `# Generated from packages/contracts/src/services.ts by \`npm run generate\`.
# shellcheck shell=sh disable=SC2034
# Those that own a schema, in the order of an update.
database_services='${databaseServices.join(' ')}'
services='${serviceNames.join(' ')}'
# Those that a deployment may leave out.
optional_services='${optionalServices.join(' ')}'
# The order of dumps that are not of one instant.
backup_order='${backupOrder.join(' ')}'
keyrings='${pairs((name) => Object.keys(services[name].keyrings))}'
own_secrets='${pairs(ownSecretsOf)}'
optional_secrets='${optionalSecrets.join(' ')}'
`;
}

/** Returns `service:VARIABLE` of all services. */
function pairs(variablesOf: (name: (typeof serviceNames)[number]) => string[]): string {
  return serviceNames.flatMap((name) => variablesOf(name).map((variable) => `${name}:${variable}`)).join(' ');
}
