import type { Snapshot } from '@parley/contracts/interaction/v1/conversation';
import type { CallOptions } from '@parley/rpc/definition';
import { startConversation } from '../creating/starting.ts';
import type { Deps } from '../deps.ts';
import { snapshotOf } from './snapshot.ts';
import type { ConversationRow } from './store.ts';

/** Returns the snapshot of a conversation as it would begin now; of one that has begun as it is. Writes nothing. */
export async function previewOf(
  { definitions, customers, compute, hasModel }: Deps,
  row: ConversationRow,
  locale: string | null | undefined,
  call: CallOptions,
): Promise<Snapshot> {
  const now = new Date();
  if (row.status !== 'Pending' && row.status !== 'Draft') {
    return snapshotOf(row, await definitions.ofStarted(row), 0, now);
  }
  const { workspaceId, customerId, status } = row;
  const [bot, customer] = await Promise.all([
    definitions.of(row),
    customers.getCustomer({ workspaceId, id: customerId }, call),
  ]);
  const options = { hasModel, locale: locale ?? undefined };
  const begun = await compute(() => startConversation(bot, row, customer, now, options));
  return { ...snapshotOf({ ...row, ...begun }, bot.definition, 0, now), status };
}
