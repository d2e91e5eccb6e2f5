import { hidden } from '@parley/contracts/hidden';
import { apiTimestamp, interactionResource } from '@parley/contracts/interaction-resource';
import {
  Interaction_Priority,
  Interaction_Status,
  type Interaction,
} from '@parley/contracts/interaction/v1/interaction';
import { z } from 'zod';
import { customerId, id } from '../../values/text.ts';
import { positive } from '../../values/count.ts';
import { required } from '../../values/message.ts';
import { timestamp, toTimestamp, toTimestampOrNull } from '../../values/timestamp.ts';
import type { Personal, Sealed } from '../../values/personal.ts';
import type { InteractionReader } from './reader.ts';
import { hiddenWithout, linkHiddenWithout, linkToken, personalValue } from '../../values/reader.ts';

const historyExample = {
  customer_id: 'customer-1',
  interaction_id: '019aa5d8-3c5e-7b21-9f0a-5d1c2e3f4a5b',
  evaluation: { nps_score: '9' },
  transcript: [
    { body: 'How likely are you to recommend Tea?', timestamp: 1_795_253_400.123, type: 'bot' },
    { body: '9', timestamp: 1_795_253_405.5, type: 'customer' },
  ],
};

export const speaker = z.enum(['bot', 'customer']);

export const status = z
  .enum([
    Interaction_Status.Draft,
    Interaction_Status.Pending,
    Interaction_Status.InProgress,
    Interaction_Status.Completed,
    Interaction_Status.Expired,
  ])
  .meta({
    id: 'InteractionStatus',
    description:
      '`Draft` is invisible to the customer. `Pending` waits until the customer starts it. `InProgress` has ' +
      'started. `Completed` and `Expired` have ended',
    examples: ['InProgress'],
  });

export const priority = z
  .enum([Interaction_Priority.Low, Interaction_Priority.Medium, Interaction_Priority.High])
  .meta({ id: 'Priority', examples: ['Medium'] });

/** The history of an interaction: `data` has it as text, and webhooks receive it. */
export const history = z
  .strictObject({
    customer_id: customerId,
    interaction_id: id,
    evaluation: z.record(z.string(), z.string()).meta({
      description: `By the keys of the bot. The values of personal keys are ${hiddenWithout}`,
      examples: [{ nps_score: '9' }],
    }),
    transcript: z.array(
      z.strictObject({
        body: z.string().meta({
          description:
            `Of the customer: ${hiddenWithout}. Of the bot: then \`${hidden}\` is in place of what was filled in, and ` +
            'of what a model has written',
          examples: ['9'],
        }),
        timestamp: z
          .number()
          .meta({ description: 'Epoch seconds with fraction', examples: [1_795_253_405.5] }),
        type: speaker,
        order: z
          .array(z.string())
          .optional()
          .meta({
            description: 'The values of choices or rows, in the random order in which they were shown',
            examples: [['price', 'taste']],
          }),
        consent: z
          .strictObject({
            sha256: z.string().meta({
              description: 'SHA-256 of the text that was shown, in hexadecimal',
              examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
            }),
            locale: z.string().meta({ description: 'The language of the text', examples: ['en'] }),
          })
          .optional()
          .meta({ description: 'Of the answer to a consent: to what. Its instant is `timestamp`' }),
      }),
    ),
  })
  .meta({ id: 'InteractionHistory', examples: [historyExample] });

/** The mark of a test interaction. All others do not have it. */
export const isTest = z
  .literal(true)
  .optional()
  .meta({ description: 'Only of a test interaction: it counts nowhere', examples: [true] });

const fields = {
  id,
  status,
  priority,
  link: z.string().meta({
    description: `Opens the conversation for the customer. ${linkHiddenWithout}`,
    examples: ['https://talk.example/interactions/2TfPq0Xy8mZ3'],
  }),
  expiresAt: timestamp.nullable(),
  availableFrom: timestamp
    .optional()
    .meta({ description: 'Customers do not see it before, while it is `Pending`. Absent: at once' }),
  createdAt: timestamp,
  customerId,
  type: z.string().meta({ description: 'The type of the bot', examples: ['NPS'] }),
  data: z
    .string()
    .nullable()
    .meta({
      description: 'JSON text of an `InteractionHistory`; null until the interaction has started',
      contentMediaType: 'application/json',
      examples: [JSON.stringify(historyExample)],
    }),
};

/** What an interaction has besides the fields that every answer shows. */
const details = z
  .strictObject({
    botId: id,
    botVersion: positive
      .nullable()
      .meta({ description: 'That the conversation runs on; null until it has started', examples: [3] }),
    startedAt: timestamp.nullable().meta({ description: 'When the conversation started first' }),
    completedAt: timestamp.nullable(),
    updatedAt: timestamp.meta({ description: 'When it changed last' }),
    withdrawn: z
      .array(positive)
      .optional()
      .meta({
        description: 'The numbers of the entries, from 1, that count no more since an answer was revised',
        examples: [[2, 3]],
      }),
    reminders: z
      .array(
        z.strictObject({
          number: positive.meta({ description: 'From 1, in the order of the bot', examples: [1] }),
          dueAt: timestamp,
        }),
      )
      .optional()
      .meta({ description: 'Those that are still to come. Only of one interaction that is `Pending`' }),
  })
  .meta({ id: 'InteractionDetails', description: 'Only with `include=details`' });

export const include = z
  .enum(['details'])
  .optional()
  .meta({ description: 'Adds the field `details`: the bot, its version, and the times of the conversation' });

export const interaction = z
  .strictObject({
    ...fields,
    context: z.array(
      z.strictObject({
        key: z.string().meta({ examples: ['productName'] }),
        value: z.string().meta({
          description: `Of a personal property: ${hiddenWithout}`,
          examples: ['Tea'],
        }),
      }),
    ),
    isTest,
    details: details.optional(),
  })
  .meta({ id: 'Interaction' });

/** The schema of an interaction inside a customer: another label as type, and only the names of the context. */
export const embeddedInteraction = z
  .strictObject({
    ...fields,
    type: z.string().meta({ description: 'The longer label of the type', examples: ['Net Promoter Score'] }),
    context: z
      .array(z.string())
      .meta({ description: 'The names of the properties', examples: [['productName']] }),
    isTest,
  })
  .meta({ id: 'CustomerInteraction' });

/** `landingUrl` has no trailing slash. */
export function toInteraction(
  row: Sealed<Interaction>,
  landingUrl: string,
  reader: InteractionReader,
): z.output<typeof interaction> {
  const shown = {
    ...row,
    linkToken: linkToken(row.linkToken, reader),
    data: toHistoryText(row.data, row.id, reader),
    context: toContext(row.context, row.id, reader),
  };
  const resource = interactionResource(shown, landingUrl);
  return reader.seesLinks ? resource : { ...resource, link: shown.linkToken };
}

export function withDetails(
  shown: z.output<typeof interaction>,
  row: Sealed<Interaction>,
  wanted: z.output<typeof include>,
): z.output<typeof interaction> {
  if (wanted === undefined) return shown;
  const { botId, botVersion = null, startedAt, completedAt, updatedAt, withdrawn, reminders } = row;
  return {
    ...shown,
    details: {
      botId,
      botVersion,
      startedAt: toTimestampOrNull(startedAt),
      completedAt: toTimestampOrNull(completedAt),
      updatedAt: apiTimestamp(required(updatedAt)),
      ...(withdrawn.length > 0 && { withdrawn }),
      ...(reminders.length > 0 && { reminders: reminders.map(toReminder) }),
    },
  };
}

function toReminder({ number, dueAt }: Sealed<Interaction>['reminders'][number]) {
  return { number, dueAt: toTimestamp(dueAt) };
}

/** `landingUrl` has no trailing slash. */
export function toEmbeddedInteraction(
  row: Sealed<Interaction>,
  landingUrl: string,
  reader: InteractionReader,
): z.output<typeof embeddedInteraction> {
  return {
    ...toInteraction(row, landingUrl, reader),
    type: row.typeLabel || row.type,
    context: row.context.map(({ key }) => key),
  };
}

export function toHistoryText(
  data: Sealed<Interaction>['data'],
  id: string,
  reader: InteractionReader,
): string | null {
  if (data === undefined) return null;
  const { texts = [] } = reader.nonPersonal.get(id) ?? {};
  return (
    personalValue(data, reader, (text) => {
      if (text === undefined || text === null) return null;
      const stored = JSON.parse(text) as z.output<typeof history>;
      return JSON.stringify({
        ...stored,
        evaluation: hideEvaluation(stored.evaluation, id, reader),
        transcript: stored.transcript.map((entry, index) => ({ ...entry, body: texts[index] ?? hidden })),
      });
    }) ?? null
  );
}

export function toEvaluation(
  evaluation: Personal<Record<string, string>>,
  id: string,
  reader: InteractionReader,
): Record<string, string> {
  return personalValue(evaluation, reader, (entries) => hideEvaluation(entries, id, reader));
}

function hideEvaluation(
  evaluation: Record<string, string>,
  id: string,
  { nonPersonal }: InteractionReader,
): Record<string, string> {
  const shown = nonPersonal.get(id)?.evaluation;
  return Object.fromEntries(
    Object.entries(evaluation).map(([key, value]) => [key, shown?.has(key) ? value : hidden]),
  );
}

export function toContext(
  context: Sealed<Interaction>['context'],
  id: string,
  reader: InteractionReader,
): Interaction['context'] {
  const shown = reader.nonPersonal.get(id)?.context;
  return context.map(({ key, value: sealed }) => ({
    key,
    value: personalValue(sealed, reader, (value) => (shown?.has(key) ? value : hidden)),
  }));
}
