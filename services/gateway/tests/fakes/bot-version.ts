import type { GetBotVersionResponse } from '@parley/contracts/interaction/v1/bot';

/** A version of a bot, as the interaction service returns it. */
export const botVersion = {
  version: 4,
  digest: 'ab',
  publishedAt: new Date('2026-11-21T09:30:00.123Z'),
  publishedBy: 'operator',
  note: null,
  restoredFrom: 2,
  isLive: true,
} satisfies GetBotVersionResponse['version'];

/** The answer of `getBotVersion`. */
export const versionWithDefinition: GetBotVersionResponse = {
  version: botVersion,
  key: 'nps',
  definition: ' {"key" :"nps","n":1.0}\n',
};

/** What a replay shows: a conversation that would stop at a new question. */
export const replays = {
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
