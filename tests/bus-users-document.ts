import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  busAdmin,
  busAuthorization,
  type BusPermissions,
  busPermissions,
  busUsers,
  consumerPermissions,
  permissionLines,
} from '@parley/contracts/bus-users';

// The users of NATS in deploy/nats.conf, in the chart's example and in docs/events.md: `npm run generate` writes them,
// and a check compares them.

const root = resolve(import.meta.dirname, '..');

/** Returns the texts with the users of NATS, by the paths of their files. */
export function busUserDocuments(): Map<string, string> {
  const lines = {
    'deploy/nats.conf': busAuthorization((user) => `$${passwordVariable(user)}`).split('\n'),
    'deploy/chart/examples/nats-users.yaml': ofChart(),
    'docs/events.md': [
      '```',
      'permissions {',
      ...permissionLines(consumerPermissions('billing', 'billing')).map((line) => `  ${line}`),
      '}',
      '```',
    ],
  };
  return new Map(Object.entries(lines).map(([path, part]) => [path, withPart(path, part)]));
}

const passwordVariable = (user: string): string => `NATS_${user.toUpperCase()}_PASSWORD`;

/** Replaces what is between the lines that begin and end the generated part. */
function withPart(path: string, part: readonly string[]): string {
  const text = readFileSync(join(root, path), 'utf8');
  const [before, after] = [/^.*Users of NATS, by `npm run generate`.*\n/m, /^.*End of the users of NATS.*$/m];
  const begin = before.exec(text);
  const end = after.exec(text);
  if (!begin || !end) throw new Error(`${path} has no place for the users of NATS`);
  const space = path.endsWith('.md') ? '\n' : '';
  const head = text.slice(0, begin.index + begin[0].length);
  return `${head}${space}${part.join('\n')}\n${space}${text.slice(end.index)}`;
}

/** Returns `merge` of the official chart of NATS, and the variables of the passwords. */
function ofChart(): string[] {
  const users = [...busUsers, busAdmin] as const;
  return [
    'config:',
    '  merge:',
    '    authorization:',
    '      users:',
    ...users.flatMap((user) => [
      `        - user: ${user}`,
      `          password: << $${passwordVariable(user)} >>`,
      ...(user === busAdmin ? [] : permissionsInYaml(busPermissions[user])),
    ]),
    'container:',
    '  env:',
    ...users.flatMap((user) => [
      `    ${passwordVariable(user)}:`,
      `      valueFrom: { secretKeyRef: { name: parley-nats, key: ${user} } }`,
    ]),
  ];
}

function permissionsInYaml({ publish, subscribe, mayAnswer }: BusPermissions): string[] {
  const list = (subjects: readonly string[]): string[] =>
    subjects.map((subject) => `              - "${subject}"`);
  return [
    '          permissions:',
    '            publish:',
    ...list(publish),
    '            subscribe:',
    ...list(subscribe),
    ...(mayAnswer ? ['            allow_responses: true'] : []),
  ];
}

if (import.meta.main) for (const [path, text] of busUserDocuments()) writeFileSync(join(root, path), text);
