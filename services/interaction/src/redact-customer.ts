import type { BotDefinition } from '@parley/bot/definition';
import { InteractionCompleted } from '@parley/contracts/events/v1/interaction_completed';
import {
  Interaction,
  type RedactCustomerRequest,
  type RedactCustomerResponse,
} from '@parley/contracts/interaction/v1/interaction';
import { AppError } from '@parley/runtime/errors';
import { NIL } from 'uuid';
import { dataOf } from './completion.ts';
import type { Deps } from './deps.ts';
import { type InteractionRow, loadInteraction, saveInteraction } from './interaction-store.ts';
import { redactedAnswer, redactedChange } from './redaction.ts';
import {
  listAnswers,
  listIdsOfCustomer,
  loadPayload,
  replaceAnswer,
  replacePayload,
} from './redaction-store.ts';

const interactionsPerPage = 50;
const answersPerBatch = 100;
const attemptsMax = 20;

type RedactDeps = Pick<Deps, 'db' | 'definitions'>;

/**
 * Takes a person out of a page of their interactions and of the events about them that may still be sent; with the last
 * page also out of the answers kept for replays. Each step can be done again, so a caller that failed starts anew.
 */
export async function redactCustomer(
  deps: RedactDeps,
  request: RedactCustomerRequest,
): Promise<RedactCustomerResponse> {
  const ids = await listIdsOfCustomer(deps.db, request, request.pageToken || NIL, interactionsPerPage);
  const completions: RedactCustomerResponse['completions'] = [];
  for (const id of ids) {
    const row = await redactInteraction(deps, request.workspaceId, id, request.details);
    const data = row?.status === 'Completed' ? dataOf(row) : null;
    if (!row || data === null) continue;
    const body = Buffer.from(data);
    await redactEvent(deps, row, body);
    completions.push({ interactionId: id, body });
  }
  const last = ids.at(-1);
  if (last && ids.length === interactionsPerPage) return { completions, nextPageToken: last };
  await redactAnswers(deps, request);
  return { completions, nextPageToken: '' };
}

async function redactInteraction(
  { db, definitions }: RedactDeps,
  workspaceId: string,
  id: string,
  details: string[],
): Promise<InteractionRow | undefined> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const row = await loadInteraction(db, workspaceId, id);
    if (!row) return undefined;
    const change = redactedChange(row, await definitionOf(definitions, row), details, new Date());
    const saved = await saveInteraction(db, row, change, null, null);
    if (saved) return saved;
  }
  throw new AppError('unavailable', 'unavailable', 'The interaction is changed by others at the same time');
}

async function redactEvent({ db }: RedactDeps, row: InteractionRow, body: Buffer): Promise<void> {
  const payload = await loadPayload(db, row);
  if (!payload) return;
  const event = { ...InteractionCompleted.decode(payload), body };
  await replacePayload(db, row, Buffer.from(InteractionCompleted.encode(event).finish()));
}

async function redactAnswers({ db, definitions }: RedactDeps, request: RedactCustomerRequest): Promise<void> {
  let after = '';
  for (;;) {
    const answers = await listAnswers(db, request, after, answersPerBatch);
    for (const { scope, response } of answers) {
      const answer = Interaction.decode(response);
      const row = await loadInteraction(db, request.workspaceId, answer.id);
      if (!row) continue;
      const definition = await definitionOf(definitions, row);
      const redacted = redactedAnswer(answer, row, definition, request.details);
      await replaceAnswer(db, request.workspaceId, scope, Buffer.from(Interaction.encode(redacted).finish()));
    }
    const last = answers.at(-1);
    if (!last || answers.length < answersPerBatch) return;
    after = last.scope;
  }
}

async function definitionOf(
  definitions: Deps['definitions'],
  row: InteractionRow,
): Promise<BotDefinition | null> {
  return row.botVersion === null ? null : definitions.get(row.workspaceId, row.botId, row.botVersion);
}
