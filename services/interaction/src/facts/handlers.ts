import type {
  ConversationFacts,
  FactsServiceService,
  KnownConversation,
} from '@parley/contracts/interaction/v1/facts';
import type { Handlers } from '@parley/rpc/definition';
import { between, commonRules, type RequestRules, uuid } from '@parley/rpc/request-rules';
import { type ErrorCode, invalidRequest, toAppError } from '@parley/runtime/errors';
import type { Logger } from '@parley/runtime/telemetry/logger';
import type { Deps } from '../deps.ts';
import { factsOfRow, unknownFacts } from './facts-of-row.ts';
import {
  changedBehind,
  changedConversations,
  conversationsBehind,
  countAllInteractions,
  type FactualRow,
  readTransactions,
} from './store.ts';

/** Before the first id. */
const firstId = '00000000-0000-0000-0000-000000000000';

const interactionsMax = 500;

const placesMax = 100;

export const factsRules: RequestRules = {
  ...commonRules,
  transaction: between(0, Number.MAX_SAFE_INTEGER),
  interactionId: uuid,
  after: (value) => (value === '' ? undefined : uuid(value)),
  limit: between(1, interactionsMax),
};

export function factsHandlers(deps: FactsDeps): Handlers<typeof FactsServiceService> {
  const { db } = deps;
  return {
    listConversationFacts: async ({ conversations }) => {
      requireAtMost(interactionsMax, '/conversations', conversations);
      const { horizon, server } = await readTransactions(db);
      const { rows, missingIds } = await changedConversations(db, conversations);
      const known = new Map(conversations.map((one) => [one.interactionId, one]));
      const facts = await factsOfAll(deps, rows);
      const changed = facts.filter((one) => differs(one, known.get(one.interactionId)));
      return { facts: changed, missingIds, horizon, server };
    },

    listChangedConversations: async ({ places, limit }) => {
      requireAtMost(placesMax, '/places', places);
      const transactions = await readTransactions(db);
      return { conversations: await changedBehind(db, places, limit), ...transactions };
    },

    scanConversationFacts: async ({ after, limit }) => {
      const { horizon, server } = await readTransactions(db);
      const rows = await conversationsBehind(db, after || firstId, limit);
      const total = after === '' ? await countAllInteractions(db) : 0;
      const facts = await factsOfAll(deps, rows);
      return { facts, hasMore: rows.length === limit, total, horizon, server };
    },
  };
}

type FactsDeps = Pick<Deps, 'db' | 'definitions'> & { logger: Logger };

/** These errors pass: the caller asks again. */
const passing: ReadonlySet<ErrorCode> = new Set([
  'unavailable',
  'deadline_exceeded',
  'aborted',
  'resource_exhausted',
]);

/** Facts whose conversation cannot be read are unknown. They do not fail the others. */
function factsOfAll(
  { definitions, logger }: FactsDeps,
  rows: readonly FactualRow[],
): Promise<ConversationFacts[]> {
  const report = (row: FactualRow, error: unknown): ConversationFacts => {
    const { id: interactionId, workspaceId, botId, botVersion } = row;
    logger.error(
      { err: error, interactionId, workspaceId, botId, botVersion },
      'a conversation cannot be read',
    );
    return unknownFacts(row);
  };
  return Promise.all(
    rows.map(async (row) => {
      if (row.isUnknown) return report(row, new Error('the database cannot read its JSON'));
      try {
        return factsOfRow(row, row.state === null ? null : (await definitions.of(row)).definition);
      } catch (error) {
        if (passing.has(toAppError(error).code)) throw error;
        return report(row, error);
      }
    }),
  );
}

function requireAtMost(max: number, pointer: `/${string}`, items: readonly unknown[]): void {
  if (items.length > max) throw invalidRequest([{ pointer, detail: `Must be at most ${max}` }]);
}

function differs(facts: ConversationFacts, known: KnownConversation | undefined): boolean {
  return facts.version !== known?.version || facts.isStalled !== known.isStalled;
}
