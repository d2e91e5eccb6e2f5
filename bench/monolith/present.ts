import { interactionData } from '@parley/bot/data';
import type { Keyring } from '@parley/runtime/config/keyring';
import { linkToken } from '../../services/interaction/src/interactions/link-token.ts';
import type { InteractionRow } from './store.ts';

/** Returns the five fields of every success. */
export function success(data: unknown, meta: unknown = null) {
  return { success: true, code: 200, detail: 'Request completed successfully', data, meta };
}

export function createPresenter(linkKeys: Keyring, landingUrl: string) {
  const common = (row: InteractionRow) => ({
    id: row.id,
    status: row.status,
    priority: row.priority,
    link: `${landingUrl}/interactions/${linkToken(linkKeys, row.id, row.link_version)}`,
    expiresAt: row.expires_at && timestamp(row.expires_at),
    createdAt: timestamp(row.created_at),
    customerId: row.customer_id,
    data:
      row.evaluation && row.transcript
        ? interactionData({
            customerId: row.customer_id,
            interactionId: row.id,
            evaluation: row.evaluation,
            transcript: row.transcript,
          })
        : null,
  });
  return {
    interaction: (row: InteractionRow) => ({ ...common(row), type: row.type, context: row.context }),
    customer: (
      row: { id: string; first_name: string; last_name: string; email: string },
      interactions: InteractionRow[],
    ) => ({
      id: row.id,
      firstName: row.first_name,
      lastName: row.last_name,
      email: row.email,
      interactions: interactions.map((one) => ({
        ...common(one),
        type: one.type_label || one.type,
        context: one.context.map(({ key }) => key),
      })),
    }),
  };
}

/** Formats an instant like the API, with six fractional digits. */
export function timestamp(instant: Date): string {
  return `${instant.toISOString().slice(0, -1)}000`;
}
