import type { Bot, BotVersion } from '@parley/contracts/interaction/v1/bot';
import { z } from 'zod';
import { positive } from '../../values/count.ts';
import { botKey, id } from '../../values/text.ts';
import { timestamp, toTimestamp } from '../../values/timestamp.ts';

const fields = {
  id,
  name: z.string().meta({ examples: ['NPS follow-up'] }),
  context: z
    .array(z.string())
    .meta({ description: 'The properties that an interaction may supply', examples: [['productName']] }),
};

const version = positive.meta({ examples: [1] });

export const bot = z.strictObject(fields).meta({ id: 'Bot' });

export const publishedBot = z.strictObject({ ...fields, version }).meta({ id: 'PublishedBot' });

const versionFields = {
  version,
  publishedAt: timestamp,
  publishedBy: z
    .string()
    .meta({ description: 'The API key, the id of the person, or `operator`', examples: ['operator'] }),
  note: z
    .string()
    .nullable()
    .meta({ examples: ['Ask for the reason first'] }),
  digest: z.string().meta({
    description: 'SHA-256 of the definition, in hex; layout and the order of fields do not count',
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  }),
  isLive: z.boolean().meta({ description: 'Whether new conversations start with it', examples: [true] }),
  restoredFrom: positive
    .nullable()
    .meta({ description: 'The version that was published again as this one', examples: [null] }),
};

export const botVersion = z.strictObject(versionFields).meta({ id: 'BotVersion' });

/** The definition is the last member. */
export const botVersionWithDefinition = z
  .strictObject({
    ...versionFields,
    key: botKey,
    definition: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Byte for byte as it was published', examples: [{ schemaVersion: 1 }] }),
  })
  .meta({ id: 'BotVersionWithDefinition' });

export function toBot(row: Bot): z.output<typeof bot> {
  return { id: row.id, name: row.name, context: row.context };
}

export function toPublishedBot(row: Bot): z.output<typeof publishedBot> {
  return { ...toBot(row), version: row.version };
}

export function toBotVersion(row: BotVersion): z.output<typeof botVersion> {
  const { version, publishedBy, digest, isLive } = row;
  return {
    version,
    publishedAt: toTimestamp(row.publishedAt),
    publishedBy,
    note: row.note ?? null,
    digest,
    isLive,
    restoredFrom: row.restoredFrom ?? null,
  };
}
