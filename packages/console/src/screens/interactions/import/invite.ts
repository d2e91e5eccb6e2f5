import type { CreatedItem, RejectedItem, WorkspaceClient } from '@parley/client';
import { csvRecord, separatorRecord } from '@parley/runtime/csv';
import type { Checked, Invitation } from './rows.ts';

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

/** Returns the links as a CSV file: the rows that have one, with the columns and the separator of the given file. */
export function linksCsv(
  invited: Invited[],
  { separator, header }: Omit<Checked, 'items' | 'faults'>,
): string {
  const rows = invited
    .filter(({ link }) => link !== undefined)
    .map(({ invitation: { cells }, link = '' }) => [...cells, link]);
  return csvFile([[...header, 'link'], ...rows], separator);
}

/** Returns a CSV file that spreadsheets open, as an export quotes it. */
export function csvFile(rows: string[][], separator = ','): string {
  const records = rows.map((cells) => csvRecord(cells, separator));
  const lines = [separatorRecord(separator) ?? [], records].flat();
  // Without the mark, spreadsheets do not read UTF-8.
  return `\uFEFF${lines.map((line) => `${line}\r\n`).join('')}`;
}
