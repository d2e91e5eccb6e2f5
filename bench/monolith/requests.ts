import type { Request } from 'express';
import { z } from 'zod';
import { context } from '../../services/gateway/src/api/interactions/context.ts';
import { priority, status } from '../../services/gateway/src/api/interactions/present.ts';
import { customerId, id, jsonValue, textSchema } from '../../services/gateway/src/values/text.ts';
import { Fault, notFound } from './fault.ts';

// The checks of single fields are the gateway's; their combination is the monolith's own.

export const inWorkspace = z.object({ workspaceId: id });
export const oneInteraction = inWorkspace.extend({ interactionId: id });
export const oneCustomer = inWorkspace.extend({ customerId });

export const filters = z.object({
  page: z.coerce.number().int().min(1).default(1),
  pageSize: z.coerce.number().int().min(1).max(50).default(20),
  status: status.optional(),
  priority: priority.optional(),
  customerId: customerId.optional(),
  botId: id.optional(),
});

export const newInteraction = z.strictObject({
  customerId,
  botId: id,
  // Starting a conversation at creation is not measured, and not implemented.
  status: status.exclude(['InProgress']).default('Draft'),
  priority: priority.default('Medium'),
  expiry: z.number().min(0).max(315_360_000).nullable().optional(),
  context: context.default([]),
});

export const newMessage = z.strictObject({
  clientMessageId: textSchema({ min: 1, max: 128 }),
  expectedSeq: z.int().min(0).max(2_147_483_647),
  stepId: textSchema({ min: 1, max: 255 }),
  answer: z
    .strictObject({ value: jsonValue, text: textSchema({ max: 4000 }), skip: z.literal(true) })
    .partial()
    .refine((given) => Object.keys(given).length === 1, 'Must have exactly one of value, text, skip'),
});

/** Returns the path's parameters; 404 for malformed ones. */
export function params<Schema extends z.ZodType>(schema: Schema, request: Request): z.output<Schema> {
  const parsed = schema.safeParse(request.params);
  if (!parsed.success) throw notFound();
  return parsed.data;
}

/** Returns the output of the schema; 400 with every fault. */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  base: string,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map(({ path, message }) => ({
    pointer: [base, ...path.map(String)].join('/'),
    detail: message,
  }));
  throw new Fault(400, 'invalid-request', 'The request is not valid', { errors });
}
