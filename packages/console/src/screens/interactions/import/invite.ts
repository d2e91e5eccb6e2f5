import type { CreatedItem, RejectedItem, WorkspaceClient } from '@parley/client';
import { writeCsv } from './csv.ts';
import type { Invitation } from './rows.ts';

/** How many are created by one call: few enough that the bar moves. */
const chunkSize = 100;

/** What has become of an invitation: its link, or why it was rejected. */
export interface Invited {
  invitation: Invitation;
  link: string | undefined;
  error: string | undefined;
}

/**
 * Creates interactions in calls of a hundred. `done` has those of an earlier try, which are not created again. A
 * repeated call has the same key, so it creates nothing twice. Throws the failure of a call.
 */
export async function invite(
  client: WorkspaceClient,
  { botId, runId, invitations }: { botId: string; runId: string; invitations: Invitation[] },
  done: Invited[],
  onProgress: (done: Invited[]) => void,
): Promise<void> {
  let all = done;
  while (all.length < invitations.length) {
    const chunk = invitations.slice(all.length, all.length + chunkSize);
    const interactions = chunk.map(({ item }) => ({ ...item, botId, status: 'Pending' as const }));
    const idempotencyKey = `${runId}-${all.length}`;
    const { data } = await client.interactions.createBulk({ interactions }, { idempotencyKey });
    all = [...all, ...chunk.map((invitation, index) => resultOf(invitation, data[index]))];
    onProgress(all);
  }
}

function resultOf(invitation: Invitation, answer: CreatedItem | RejectedItem | undefined): Invited {
  if (answer && 'interaction' in answer)
    return { invitation, link: answer.interaction.link, error: undefined };
  const { detail = '', errors = [] } = answer?.error ?? {};
  const faults = errors.map((one) => `${one.pointer}: ${one.detail}`);
  return { invitation, link: undefined, error: [detail, ...faults].join(' ') };
}

/** Returns the links as a CSV file, with what a letter to the customer needs. */
export function linksCsv(invited: Invited[]): string {
  const rows = invited
    .filter(({ link }) => link !== undefined)
    .map(({ invitation: { item }, link = '' }) => {
      const { firstName = '', lastName = '', email = '' } = item.customer ?? {};
      return [item.customerId, firstName, lastName, email, link];
    });
  return writeCsv([['customerId', 'firstName', 'lastName', 'email', 'link'], ...rows]);
}
