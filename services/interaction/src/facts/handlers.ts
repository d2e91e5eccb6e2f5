import type {
  ConversationFacts,
  FactsServiceService,
  KnownConversation,
} from '@parley/contracts/interaction/v1/facts';
import type { Handlers } from '@parley/rpc/definition';
import { between, commonRules, type RequestRules, uuid } from '@parley/rpc/request-rules';
import { invalidRequest } from '@parley/runtime/errors';
import type { Deps } from '../deps.ts';
import { factsOfRow } from './facts-of-row.ts';
import { changedConversations, conversationsBehind, countAllInteractions, type FactualRow } from './store.ts';

/** Before the first id. */
const firstId = '00000000-0000-0000-0000-000000000000';

/** How many interactions a call is about at most. */
const interactionsMax = 500;

/** The rules for the fields of these requests. */
export const factsRules: RequestRules = {
  ...commonRules,
  interactionId: uuid,
  after: (value) => (value === '' ? undefined : uuid(value)),
  limit: between(1, interactionsMax),
};

/** Returns the handlers of the RPCs about facts: facts.proto. */
export function factsHandlers({
  db,
  definitions,
}: Pick<Deps, 'db' | 'definitions'>): Handlers<typeof FactsServiceService> {
  const factsOfAll = (rows: readonly FactualRow[]): Promise<ConversationFacts[]> =>
    Promise.all(
      rows.map(async (row) =>
        factsOfRow(row, row.state === null ? null : (await definitions.of(row)).definition),
      ),
    );
  return {
    listConversationFacts: async ({ conversations }) => {
      if (conversations.length > interactionsMax) {
        throw invalidRequest([{ pointer: '/conversations', detail: `Must be at most ${interactionsMax}` }]);
      }
      const { rows, missingIds } = await changedConversations(db, conversations);
      const known = new Map(conversations.map((one) => [one.interactionId, one]));
      const facts = await factsOfAll(rows);
      return { facts: facts.filter((one) => differs(one, known.get(one.interactionId))), missingIds };
    },

    scanConversationFacts: async ({ after, limit }) => {
      const rows = await conversationsBehind(db, after || firstId, limit);
      const total = after === '' ? await countAllInteractions(db) : 0;
      return { facts: await factsOfAll(rows), hasMore: rows.length === limit, total };
    },
  };
}

function differs(facts: ConversationFacts, known: KnownConversation | undefined): boolean {
  return facts.version !== known?.version || facts.isStalled !== known.isStalled;
}
