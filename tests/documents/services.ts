import { databaseServices, optionalServices, serviceNames } from '@parley/contracts/services';

/** Returns deploy/services.sh, which the scripts of deploy source. */
export function servicesDocument(): string {
  return `# Generated from packages/contracts/src/services.ts by \`npm run generate\`.
# shellcheck shell=sh disable=SC2034
# Those that own a schema, in the order of an update.
database_services='${databaseServices.join(' ')}'
services='${serviceNames.join(' ')}'
# Those that a deployment may leave out.
optional_services='${optionalServices.join(' ')}'
`;
}
