import type { Bot, BotVersion } from '@parley/contracts/interaction/v1/bot';
import { z } from 'zod';
import { positive } from '../values/count.ts';
import { id } from '../values/text.ts';
import { timestamp, toTimestamp } from '../values/timestamp.ts';

const fields = {
  id,
  name: z.string().meta({ examples: ['NPS follow-up'] }),
  context: z
    .array(z.string())
    .meta({ description: 'The properties that an interaction may supply', examples: [['productName']] }),
};

const version = positive.meta({ examples: [1] });

/** The schema of a bot. */
export const bot = z.strictObject(fields).meta({ id: 'Bot' });

/** The schema of a bot with its published version. */
export const publishedBot = z.strictObject({ ...fields, version }).meta({ id: 'PublishedBot' });

/** The schema of a version of a bot. */
export const botVersion = z
  .strictObject({
    version,
    sha256: z.string().meta({
      description: 'Of the definition, in hex; spelling and the order of fields do not count',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
    createdAt: timestamp,
  })
  .meta({ id: 'BotVersion' });

/** Returns the bot as the API shows it. */
export function toBot(row: Bot): z.output<typeof bot> {
  return { id: row.id, name: row.name, context: row.context };
}

/** Returns the bot with its published version. */
export function toPublishedBot(row: Bot): z.output<typeof publishedBot> {
  return { ...toBot(row), version: row.version };
}

/** Returns the version as the API shows it. `sha256` is that of the definition, in hex. */
export function toBotVersion(row: BotVersion): z.output<typeof botVersion> {
  return { version: row.version, sha256: row.sha256, createdAt: toTimestamp(row.createdAt) };
}
