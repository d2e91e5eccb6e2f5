import type { BotServiceService, GetBotVersionResponse } from '@parley/contracts/interaction/v1/bot';
import type { Handlers } from '@parley/rpc/definition';
import { type Answer, only } from './answers.ts';
import { known, now } from './known.ts';

// The answers of the interaction service about bots.

export const bot = { id: known.botId, key: 'nps', name: 'NPS <b>', context: ['productName'], version: 4 };
const draft = {
  botId: known.botId,
  version: 2,
  definition: '{"key":"nps"}',
  baseVersion: 4,
  updatedAt: now,
  updatedBy: 'operator',
  faults: [],
};

/** A version of a bot, as the interaction service returns it. */
const botVersion = {
  version: 4,
  digest: 'ab',
  publishedAt: new Date('2026-11-21T09:30:00.123Z'),
  publishedBy: 'operator',
  note: null,
  restoredFrom: 2,
  isLive: true,
} satisfies GetBotVersionResponse['version'];

/** The answer of `getBotVersion`. */
const versionWithDefinition: GetBotVersionResponse = {
  version: botVersion,
  key: 'nps',
  definition: ' {"key" :"nps","n":1.0}\n',
};

/** What a replay shows: a conversation that would stop at a new question. */
const replays = {
  replayed: 2,
  differing: 1,
  incomplete: 0,
  differences: [
    {
      interactionId: '01939f6a-2f40-7c3a-9d55-0123456789ab',
      botVersion: 4,
      completedAt: new Date('2026-01-02T03:04:05Z'),
      before: {
        stepIds: ['score'],
        endStepId: 'bye',
        stoppedAt: undefined,
        stoppedBecause: 'REASON_UNSPECIFIED' as const,
      },
      after: {
        stepIds: ['score', 'why'],
        endStepId: undefined,
        stoppedAt: 'why',
        stoppedBecause: 'NoAnswer' as const,
      },
      takesAnotherWay: true,
      endsDifferently: false,
      evaluationKeys: [],
      hearsAnotherText: false,
    },
  ],
  groups: [],
};

export function fakeBots(answer: Answer) {
  return {
    createBot: answer('createBot', () => ({ bot, replayed: false })),
    publishBotVersion: answer('publishBotVersion', () => ({ bot, replayed: false })),
    getBot: answer('getBot', ({ id }) => only(id === known.botId, bot)),
    listBots: answer('listBots', () => ({ bots: [bot] })),
    getBotDraft: answer('getBotDraft', () => draft),
    saveBotDraft: answer('saveBotDraft', () => draft),
    listBotDrafts: answer('listBotDrafts', () => ({ drafts: [{ ...draft, definition: '' }] })),
    renewPresence: answer('renewPresence', () => ({ presences: [] })),
    endPresence: answer('endPresence', () => ({})),
    listBotVersions: answer('listBotVersions', () => ({ versions: [botVersion] })),
    listEvaluationKeys: answer('listEvaluationKeys', () => ({
      keys: ['nps_score', 'why', 'status'],
      columns: [],
    })),
    replayConversations: answer('replayConversations', () => replays),
    listPersonalKeys: answer('listPersonalKeys', ({ keys }) => ({
      keys: keys.filter((name) => name !== 'nps_score'),
    })),
    getBotVersion: answer('getBotVersion', ({ version }) => only(version === 4, versionWithDefinition)),
  } satisfies Partial<Handlers<typeof BotServiceService>>;
}
