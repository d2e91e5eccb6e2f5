import type { Bot, BotVersion } from '@parley/contracts/interaction/v1/bot';
import { z } from 'zod';
import { required } from '../message.ts';
import { timestamp, toTimestamp } from '../timestamp.ts';

const fields = { id: z.string(), name: z.string(), context: z.array(z.string()) };

/** A bot as the API shows it. */
export const bot = z.strictObject(fields).meta({ id: 'Bot' });

/** A bot with the version that a publication made. */
export const publishedBot = z.strictObject({ ...fields, version: z.int() }).meta({ id: 'PublishedBot' });

/** A version of a bot. */
export const botVersion = z
  .strictObject({ version: z.int(), sha256: z.string(), createdAt: timestamp })
  .meta({ id: 'BotVersion' });

/** The three fields of the seed. */
export function toBot(row: Bot): z.output<typeof bot> {
  return { id: row.id, name: row.name, context: row.context };
}

/** The three fields and the version. */
export function toPublishedBot(row: Bot): z.output<typeof publishedBot> {
  return { ...toBot(row), version: row.version };
}

/** `sha256` is of the definition, in hex. */
export function toBotVersion(row: BotVersion): z.output<typeof botVersion> {
  return { version: row.version, sha256: row.sha256, createdAt: toTimestamp(required(row.createdAt)) };
}
