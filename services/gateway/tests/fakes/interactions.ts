import type { Interaction, InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import type { Handlers } from '@parley/rpc/definition';
import { type Answer, current, only } from './answers.ts';
import { exportedPage } from './export.ts';
import { known, now } from './known.ts';

// The answers of the interaction service about interactions.

export const interaction: Interaction = {
  id: known.interactionId,
  status: 'Pending',
  priority: 'High',
  linkToken: known.linkToken,
  expiresAt: null,
  createdAt: now,
  customerId: known.customerId,
  type: 'NPS',
  typeLabel: 'Net Promoter Score',
  data: undefined,
  context: [{ key: 'productName', value: 'Tea' }],
  version: 3,
  botId: known.botId,
  startedAt: null,
  completedAt: null,
  updatedAt: now,
  withdrawn: [],
  reminders: [],
};

const contactPolicy = { anyBot: { count: 1, days: 30 }, sameBot: null, version: 3 };

/** What is stored about a conversation beside its transcript. */
const begun = {
  botVersion: 4,
  startedAt: now,
  completedAt: null,
  conversation:
    '{"answers":{"score":9},"customer":{"id":"c","firstName":"","lastName":"","email":""},"locale":"en"}',
};

export function fakeInteractions(answer: Answer, exported: Parameters<typeof exportedPage>[0]) {
  return {
    createInteraction: answer('createInteraction', () => ({ interaction, replayed: false })),
    createInteractions: answer('createInteractions', ({ interactions }) => ({
      results: interactions.map(() => ({ interaction })),
      replayed: false,
    })),
    getInteraction: answer('getInteraction', ({ id }) => only(id === known.interactionId, interaction)),
    listInteractions: answer('listInteractions', (request) => ({
      ...pageOf(exported.history, request),
      total: exported.history.length,
    })),
    listCustomerInteractions: answer('listCustomerInteractions', (request) =>
      pageOf(exported.history, request),
    ),
    exportCustomer: answer('exportCustomer', ({ after }) => {
      const { interactions: rows, ...part } = pageOf(exported.history, { after });
      const interactions = rows.map((interaction) => ({ interaction, botKey: 'nps', ...begun }));
      return { interactions, ...part };
    }),
    listNonPersonalNames: answer('listNonPersonalNames', ({ interactionIds }) => ({
      interactions: interactionIds.map((interactionId) => ({
        interactionId,
        evaluation: ['nps_score'],
        context: [],
        transcript: [1, 0],
      })),
      texts: ['Hi [hidden]'],
    })),
    updateInteraction: answer('updateInteraction', ({ ifVersion }) => current(interaction, ifVersion)),
    exportInteractions: answer('exportInteractions', (request) => exportedPage(exported, request)),
    getContactPolicy: answer('getContactPolicy', () => contactPolicy),
    updateContactPolicy: answer('updateContactPolicy', ({ ifVersion }) => current(contactPolicy, ifVersion)),
    getContactability: answer('getContactability', () => ({
      allowed: true,
      retryAt: null,
      policy: contactPolicy,
    })),
    deleteTestInteractions: answer('deleteTestInteractions', () => ({ deleted: 0, hasMore: false })),
    deleteInteraction: answer('deleteInteraction', ({ ifVersion }) => {
      current(interaction, ifVersion);
      return {};
    }),
  } satisfies Partial<Handlers<typeof InteractionServiceService>>;
}

function pageOf(
  history: Interaction[],
  { after, onlyShort }: { after?: string | null; onlyShort?: boolean | null },
) {
  const at = history.findIndex(({ id }) => id === after) + 1;
  const goesOn = at + 1 < history.length;
  if (goesOn && onlyShort) return { interactions: [], isLong: true };
  return {
    interactions: history.slice(at, at + 1),
    nextAfter: goesOn ? history[at]?.id : undefined,
    digest: goesOn ? history.map(({ version }) => version).join() : undefined,
  };
}
