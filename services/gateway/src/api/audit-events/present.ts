import type { AuditEvent } from '@parley/contracts/audit/v1/audit';
import { z } from 'zod';
import { required } from '../../values/message.ts';
import { jsonValue } from '../../values/text.ts';
import { timestamp, toTimestamp } from '../../values/timestamp.ts';

const typeAndId = { type: z.string(), id: z.string() };

export const auditEvent = z
  .strictObject({
    id: z.string().meta({ examples: ['019ab0a5-7c00-7000-8000-000000000001'] }),
    occurredAt: timestamp,
    action: z.string().meta({
      description: 'What was done: a thing and a verb in the past tense',
      examples: ['webhook.updated'],
    }),
    actor: z
      .strictObject({
        type: z.enum(['key', 'person', 'portal', 'operator']),
        id: z
          .string()
          .meta({ description: 'The API key, the id of the person or portal link, or `operator`' }),
        name: z.string().meta({ description: 'Its name at that time; may be empty' }),
      })
      .meta({
        id: 'AuditActor',
        examples: [{ type: 'key', id: 'prl_key_3vVQmGdZcKxw9n2TfPq0Xy', name: 'Shop backend' }],
      }),
    targets: z
      .array(z.strictObject(typeAndId).meta({ id: 'AuditTarget' }))
      .meta({ examples: [[{ type: 'webhook', id: '019ab0a5-7c00-7000-8000-000000000002' }]] }),
    requestId: z.string().meta({
      description: 'The `x-request-id` of the request',
      examples: ['0f8b5c1e-6a6f-4a0e-8d53-2f2f3d0f6a11'],
    }),
    clientAddress: z
      .string()
      .nullable()
      .meta({ description: 'The IP address of the client; null for the operator', examples: ['192.0.2.7'] }),
    changes: z.record(z.string(), z.array(jsonValue).length(2)).meta({
      description: '`[before, after]` by field. Secrets and personal data of customers are `[hidden]`',
      examples: [{ isActive: [true, false] }],
    }),
  })
  .meta({ id: 'AuditEvent' });

export function toAuditEvent(event: AuditEvent): z.output<typeof auditEvent> {
  const { id, occurredAt, action, targets, requestId, clientAddress, changes } = event;
  const actor = auditEvent.shape.actor.parse(required(event.actor));
  return {
    id,
    occurredAt: toTimestamp(occurredAt),
    action,
    actor,
    targets,
    requestId,
    clientAddress: clientAddress ?? null,
    changes: auditEvent.shape.changes.parse(JSON.parse(changes)),
  };
}
