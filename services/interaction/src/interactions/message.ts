import type { Interaction } from '@parley/contracts/interaction/v1/interaction';
import type { Keyring } from '@parley/runtime/config/keyring';
import type { Priority, Status } from '../schema.ts';
import { dataOf } from './completion.ts';
import { linkToken } from './link-token.ts';
import type { MessageRow } from './store.ts';

export function interactionMessage(row: MessageRow, linkKeys: Keyring): Interaction {
  return {
    id: row.id,
    status: row.status,
    priority: row.priority,
    linkToken: linkToken(linkKeys, row.id, row.linkVersion),
    expiresAt: row.expiresAt,
    availableFrom: row.availableFrom,
    createdAt: row.createdAt,
    customerId: row.customerId,
    type: row.type,
    typeLabel: row.typeLabel,
    data: dataOf(row),
    context: row.context,
    version: row.version,
    botId: row.botId,
    botVersion: row.botVersion ?? undefined,
    startedAt: row.startedAt,
    completedAt: row.completedAt,
    updatedAt: row.updatedAt,
    isTest: row.isTest || undefined,
    withdrawn: (row.transcript ?? []).flatMap(({ seq, withdrawn }) => (withdrawn ? [seq] : [])),
    reminders: [],
  };
}

export function statusOf(value: Interaction['status'] | null | undefined): Status | undefined {
  return value && value !== 'STATUS_UNSPECIFIED' ? value : undefined;
}

export function priorityOf(value: Interaction['priority'] | null | undefined): Priority | undefined {
  return value && value !== 'PRIORITY_UNSPECIFIED' ? value : undefined;
}
