import { stream } from './events.ts';
import { type ServiceName, serviceNames, services } from './services.ts';

// Who may use which subjects of NATS. `npm run generate` writes deploy/nats.conf and other examples from it.

/** What a user of NATS may do. All else is refused. */
export interface BusPermissions {
  publish: readonly string[];
  subscribe: readonly string[];
  /** Whether it may answer a request that it has received, once, within two minutes. */
  mayAnswer?: true;
}

export const busUsers = serviceNames;

export type BusUser = ServiceName;

/** A user that may do everything. No service is this user. */
export const busAdmin = 'admin';

/** Inboxes as `parseNatsUrl` names them: a user that may read `_INBOX.>` reads the answers for all others. */
const inboxes = (user: string): string => `_INBOX_${user}.>`;
const api = '$JS.API';
const streamInfo = `${api}.STREAM.INFO.${stream.name}`;
/** What a client asks before it uses JetStream. */
const connecting = [`${api}.INFO`, streamInfo];

/** Returns what a user needs that has one durable consumer of the stream. */
export function consumerPermissions(user: string, durable: string): BusPermissions {
  const consumer = (verb: string): string => `${api}.CONSUMER.${verb}.${stream.name}.${durable}`;
  return {
    publish: [
      ...connecting,
      `${api}.STREAM.MSG.GET.${stream.name}`,
      consumer('CREATE'),
      // With the filter of the consumer.
      `${consumer('CREATE')}.>`,
      consumer('DURABLE.CREATE'),
      consumer('INFO'),
      consumer('DELETE'),
      consumer('MSG.NEXT'),
      `${api}.CONSUMER.LIST.${stream.name}`,
      `$JS.ACK.${stream.name}.${durable}.>`,
      // The layout of newer servers, with domain and account.
      `$JS.ACK.*.*.${stream.name}.${durable}.>`,
    ],
    subscribe: [inboxes(user)],
  };
}

/** What each service may do: no more than its code does. */
export const busPermissions = Object.fromEntries(
  busUsers.map((user) => [user, permissionsOf(user)]),
) as Record<BusUser, BusPermissions>;

function permissionsOf(user: BusUser): BusPermissions {
  const { bus } = services[user];
  const publish = [
    ...(bus.consumesEvents ? consumerPermissions(user, user).publish : []),
    ...(bus.raisesEvents ? [...connecting, `parley.${user}.>`] : []),
    ...(bus.declaresStream ? ['CREATE', 'UPDATE'].map((verb) => `${api}.STREAM.${verb}.${stream.name}`) : []),
    ...(bus.readsStream ? [streamInfo] : []),
    ...(bus.publishes ?? []),
  ];
  return {
    publish: [...new Set(publish)],
    subscribe: [inboxes(user), ...(bus.subscribes ?? [])],
    ...(bus.answers && { mayAnswer: true }),
  };
}

/**
 * Returns the `authorization` of a NATS server with the users of Parley, and the users of other teams' consumers. A
 * password has the form of its file.
 */
export function busAuthorization(
  passwordOf: (user: string) => string,
  consumers: readonly string[] = [],
): string {
  const permissions = [
    ...busUsers.map((user) => [user, busPermissions[user]] as const),
    ...consumers.map((name) => [name, consumerPermissions(name, name)] as const),
  ];
  const lines = permissions.flatMap(([user, allowed]) => [
    `    { user: ${user}, password: ${passwordOf(user)}, permissions {`,
    ...permissionLines(allowed).map((line) => `      ${line}`),
    '    } }',
  ]);
  const admin = `    { user: ${busAdmin}, password: ${passwordOf(busAdmin)} }`;
  return ['authorization {', '  users: [', ...lines, admin, '  ]', '}'].join('\n');
}

/** Returns the content of `permissions` in a file of a NATS server. */
export function permissionLines({ publish, subscribe, mayAnswer }: BusPermissions): string[] {
  const list = (subjects: readonly string[]): string[] => subjects.map((subject) => `  "${subject}"`);
  return [
    'publish: [',
    ...list(publish),
    ']',
    'subscribe: [',
    ...list(subscribe),
    ']',
    ...(mayAnswer ? ['allow_responses: true'] : []),
  ];
}
