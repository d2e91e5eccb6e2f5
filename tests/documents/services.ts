import {
  addressVariable,
  backupOrder,
  databaseServices,
  optionalServices,
  ownSecretsOf,
  type ServiceName,
  serviceNames,
  services,
} from '@parley/contracts/services';
import { withGenerated } from './generated-part.ts';

/** Returns deploy/services.sh, which the scripts of deploy source. */
export function servicesDocument(): string {
  const optionalSecrets = serviceNames.flatMap((name) => services[name].optionalSecrets ?? []);
  return `# Generated from packages/contracts/src/services.ts by \`npm run generate\`.
# shellcheck shell=sh disable=SC2034
# The services that own a schema, in the order of an update.
database_services='${databaseServices.join(' ')}'
services='${serviceNames.join(' ')}'
# The services that a deployment may leave out.
optional_services='${optionalServices.join(' ')}'
# The order of dumps that are not of one instant.
backup_order='${backupOrder.join(' ')}'
keyrings='${pairs((name) => Object.keys(services[name].keyrings))}'
own_secrets='${pairs(ownSecretsOf)}'
optional_secrets='${optionalSecrets.join(' ')}'
`;
}

/** Returns `service:VARIABLE` of all services. */
function pairs(variablesOf: (name: ServiceName) => string[]): string {
  return serviceNames.flatMap((name) => variablesOf(name).map((variable) => `${name}:${variable}`)).join(' ');
}

/** Returns docs/operations/settings.md with the addresses of services. */
export function addressesDocument(text: string): string {
  const rows = databaseServices.map((name) => {
    const callers = serviceNames.filter((caller) => services[caller].calls.includes(name)).toSorted();
    const isOfAll = callers.length === serviceNames.length - 1;
    const fallback = services[name].isOptional ? 'none: its calls answer 404' : '–';
    return `| \`${addressVariable(name)}\` | ${isOfAll ? `all but ${name}` : callers.join(', ')} | ${fallback} |`;
  });
  return withGenerated(text, ['| variable | services | default |', '|---|---|---|', ...rows].join('\n'));
}

/** Returns deploy/chart/README.md with the commands that create the Secrets of services. */
export function chartReadme(text: string): string {
  const commands = serviceNames.map((name) => {
    const upper = name.toUpperCase();
    const literals = [
      `RPC_TOKEN="$${upper}_RPC_TOKEN"`,
      `NATS_URL="nats://${name}:$NATS_${upper}_PASSWORD@nats:4222"`,
      ...(services[name].hasSchema ? ['DATABASE_URL=postgres://...'] : []),
      ...Object.keys(services[name].keyrings).map((variable) => {
        const given = variable === 'ENCRYPTION_KEYS' ? `${upper}_${variable}` : variable;
        return `${variable}="$${given}"`;
      }),
    ];
    const options = literals.map((literal) => `  --from-literal ${literal}`);
    return [`kubectl create secret generic parley-${name}`, ...options].join(' \\\n');
  });
  return withGenerated(text, ['```sh', ...commands, '```'].join('\n'));
}
