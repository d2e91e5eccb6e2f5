import type { ConversationServiceService, Snapshot } from '@parley/contracts/interaction/v1/conversation';
import type { Handlers } from '@parley/rpc/definition';
import { type Answer, only } from './answers.ts';
import { bot } from './bots.ts';
import { grantOf, known, longLinkTokens, now } from './known.ts';

// The answers of the interaction service about conversations.

const snapshot: Snapshot = {
  status: 'InProgress',
  seq: 2,
  entries: [{ seq: 1, type: 'bot', body: 'Hello', timestamp: 1.5 }],
  inputJson: '{"stepId":"score","type":"nps","required":true,"min":0,"max":10}',
  awaiting: undefined,
  progress: 0.5,
  expiresAt: now,
  botName: bot.name,
};

export function fakeConversations(answer: Answer) {
  return {
    openLink: answer('openLink', ({ token }) =>
      only([known.linkToken, known.draftLinkToken, ...longLinkTokens].includes(token), {
        workspaceId: known.workspaceId,
        interactionId: known.interactionId,
        linkVersion: 1,
        status: token === known.draftLinkToken ? ('Draft' as const) : ('Pending' as const),
        botName: bot.name,
        unavailable: token === known.draftLinkToken,
        grant: grantOf([known.workspaceId], { $case: 'link', value: `${known.interactionId}.1` }),
      }),
    ),
    getTime: async () => ({ now: new Date() }),
    getFence: answer('getFence', () => ({ version: 3 })),
    getPending: answer('getPending', () => ({ pending: null })),
    getConversation: answer('getConversation', () => snapshot),
    startConversation: answer('startConversation', () => snapshot),
    previewConversation: answer('previewConversation', () => snapshot),
    previewInteraction: answer('previewInteraction', () => ({ ...snapshot, status: 'Pending' as const })),
    postMessage: answer('postMessage', ({ expectedSeq }) => ({
      snapshot,
      stale: expectedSeq !== snapshot.seq,
    })),
  } satisfies Partial<Handlers<typeof ConversationServiceService>>;
}
