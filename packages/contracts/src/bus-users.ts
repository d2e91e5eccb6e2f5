import { stream } from './events.ts';
import { type ServiceName, serviceNames } from './services.ts';
import { broadcastSubjects, evictionSubject } from './subjects.ts';

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

/** Returns what a user needs that raises events of a service. */
function producerPermissions(user: string): BusPermissions {
  return { publish: [...connecting, `parley.${user}.>`], subscribe: [inboxes(user)] };
}

const { interactionChanged, deliveriesDue, shardsMoved } = broadcastSubjects;
const ofWebhook = consumerPermissions('webhook', 'webhook');

/** What each service may do: no more than its code does. */
export const busPermissions: Record<BusUser, BusPermissions> = {
  // Only it can confirm an eviction, and only one that it was asked for.
  gateway: {
    publish: [streamInfo],
    subscribe: [inboxes('gateway'), evictionSubject('*')],
    mayAnswer: true,
  },
  identity: { publish: [evictionSubject('*')], subscribe: [inboxes('identity')] },
  customer: producerPermissions('customer'),
  interaction: {
    publish: [
      ...producerPermissions('interaction').publish,
      `${api}.STREAM.CREATE.${stream.name}`,
      `${api}.STREAM.UPDATE.${stream.name}`,
      interactionChanged,
    ],
    subscribe: [inboxes('interaction'), interactionChanged],
  },
  webhook: {
    publish: [...ofWebhook.publish, 'parley.webhook.>', deliveriesDue, shardsMoved],
    subscribe: [...ofWebhook.subscribe, deliveriesDue, shardsMoved],
  },
  insight: consumerPermissions('insight', 'insight'),
};

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
