import {
  busAdmin,
  busAuthorization,
  type BusPermissions,
  busPermissions,
  busUsers,
  consumerPermissions,
  permissionLines,
} from '@parley/contracts/bus-users';
import { withLines } from './generated-part.ts';

/** The generated users of NATS of a file, as lines. */
const linesOf = {
  'deploy/nats.conf': () => busAuthorization((user) => `$${passwordVariable(user)}`).split('\n'),
  'deploy/chart/examples/nats-users.yaml': ofChart,
  'docs/events.md': () => [
    '',
    '```',
    'permissions {',
    ...permissionLines(consumerPermissions('billing', 'billing')).map((line) => `  ${line}`),
    '}',
    '```',
    '',
  ],
};

/** Returns a file with the users of NATS that the code declares. */
export const busUsersIn =
  (path: keyof typeof linesOf) =>
  (text: string): string =>
    withLines(text, 'Users of NATS', linesOf[path]());

const passwordVariable = (user: string): string => `NATS_${user.toUpperCase()}_PASSWORD`;

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
