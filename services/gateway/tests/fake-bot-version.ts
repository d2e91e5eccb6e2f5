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
