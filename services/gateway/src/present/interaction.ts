import {
  Interaction_Priority,
  Interaction_Status,
  type Interaction,
} from '@parley/contracts/interaction/v1/interaction';
import { z } from 'zod';
import { required, specified } from '../message.ts';
import { timestamp, toTimestamp, toTimestampOrNull } from '../timestamp.ts';

/** The public spelling of the states. */
export const status = z.enum([
  Interaction_Status.Draft,
  Interaction_Status.Pending,
  Interaction_Status.InProgress,
  Interaction_Status.Completed,
  Interaction_Status.Expired,
]);

/** The public spelling of the priorities. */
export const priority = z.enum([
  Interaction_Priority.Low,
  Interaction_Priority.Medium,
  Interaction_Priority.High,
]);

const fields = {
  id: z.string(),
  status,
  priority,
  link: z.string(),
  expiresAt: timestamp.nullable(),
  createdAt: timestamp,
  customerId: z.string(),
  type: z.string(),
  data: z.string().nullable(),
};

/** An interaction as the interactions endpoints show it. */
export const interaction = z
  .strictObject({
    ...fields,
    context: z.array(z.strictObject({ key: z.string(), value: z.string() })),
  })
  .meta({ id: 'Interaction' });

/** An interaction inside a customer: the longer label as type, and of the context the names only. */
export const embeddedInteraction = z
  .strictObject({ ...fields, context: z.array(z.string()) })
  .meta({ id: 'CustomerInteraction' });

/** `landingUrl` has no trailing slash. */
export function toInteraction(row: Interaction, landingUrl: string): z.output<typeof interaction> {
  return {
    ...common(row, landingUrl),
    type: row.type,
    context: row.context.map(({ key, value }) => ({ key, value })),
  };
}

/** `landingUrl` has no trailing slash. */
export function toEmbeddedInteraction(
  row: Interaction,
  landingUrl: string,
): z.output<typeof embeddedInteraction> {
  return {
    ...common(row, landingUrl),
    type: row.typeLabel || row.type,
    context: row.context.map(({ key }) => key),
  };
}

function common(row: Interaction, landingUrl: string) {
  return {
    id: row.id,
    status: specified(row.status),
    priority: specified(row.priority),
    link: `${landingUrl}/interactions/${row.linkToken}`,
    expiresAt: toTimestampOrNull(row.expiresAt),
    createdAt: toTimestamp(required(row.createdAt)),
    customerId: row.customerId,
    data: row.data ?? null,
  };
}
