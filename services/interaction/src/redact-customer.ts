import type { BotDefinition } from '@parley/bot/definition';
import {
  Interaction,
  type RedactCustomerRequest,
  type RedactCustomerResponse,
} from '@parley/contracts/interaction/v1/interaction';
import { AppError, invalidRequest } from '@parley/runtime/errors';
import { NIL } from 'uuid';
import { commitChange, commitTriesMax } from './commit-change.ts';
import { dataOf } from './completion.ts';
import type { Deps } from './deps.ts';
import { raiseFence } from './fence-store.ts';
import { type InteractionRow, loadInteraction } from './interaction-store.ts';
import { redactedAnswer, redactedChange } from './redaction.ts';
import { forgetMessages, listAnswers, listIdsBeforeFence, replaceAnswer } from './redaction-store.ts';

const rowsPerPage = 50;
/** Few, so that others are served meanwhile. */
const rowsAtOnce = 5;
/** Of histories: keeps a page short and its message small. */
const bytesPerPage = 4 * 1024 * 1024;
/** How the tokens of the pages begin that are about answers; the others are ids of interactions. */
const ofAnswers = 'answers/';

/**
 * Takes a person out of a page: first of their interactions, then of the answers kept for replays. The fence goes up
 * before anything is looked for, so nothing of the person is written behind a page that is done, and there is an end to
 * the pages however many interactions are made meanwhile. Each step can be done again, so a caller that failed starts anew;
 * what is done already is only read.
 */
export async function redactCustomer(
  deps: Deps,
  request: RedactCustomerRequest,
): Promise<RedactCustomerResponse> {
  // What has no version would raise a fence that holds back nothing, and pass for done.
  if (request.customerVersion < 1) {
    throw invalidRequest([{ pointer: '/customerVersion', detail: 'Must be at least 1' }]);
  }
  const raisedAt = await raiseFence(deps.db, request, request.customerVersion);
  return request.pageToken.startsWith(ofAnswers)
    ? redactAnswers(deps, request, request.pageToken.slice(ofAnswers.length))
    : redactInteractions(deps, request, raisedAt, request.pageToken || NIL);
}

async function redactInteractions(
  deps: Deps,
  request: RedactCustomerRequest,
  raisedAt: Date,
  after: string,
): Promise<RedactCustomerResponse> {
  const ids = await listIdsBeforeFence(deps.db, request, request.customerVersion, after, rowsPerPage);
  const completions: RedactCustomerResponse['completions'] = [];
  let bytes = 0;
  for (let from = 0; from < ids.length; from += rowsAtOnce) {
    const some = ids.slice(from, from + rowsAtOnce);
    const rows = await Promise.all(some.map((id) => redactInteraction(deps, request, raisedAt, id)));
    await forgetMessages(deps.db, request.workspaceId, some);
    for (const row of rows) {
      const data = row && dataOf(row);
      if (!data) continue;
      const body = Buffer.from(data);
      if (row.status === 'Completed') completions.push({ interactionId: row.id, body });
      bytes += body.length;
    }
    const last = some.at(-1);
    if (last && bytes >= bytesPerPage) return { completions, nextPageToken: last };
  }
  const last = ids.length === rowsPerPage && ids.at(-1);
  return { completions, nextPageToken: last || ofAnswers };
}

/** The interaction without the person: at once when an earlier try has been here. */
async function redactInteraction(
  deps: Deps,
  { workspaceId, customerVersion, details }: RedactCustomerRequest,
  raisedAt: Date,
  id: string,
): Promise<InteractionRow | undefined> {
  for (let tries = 0; tries < commitTriesMax; tries += 1) {
    const row = await loadInteraction(deps.db, workspaceId, id);
    if (!row || row.redactedVersion >= customerVersion) return row;
    const redacted = redactedChange(row, await definitionOf(deps.definitions, row), details, raisedAt);
    const saved = await commitChange(deps, row, { ...redacted, redactedVersion: customerVersion });
    if (saved) return saved;
  }
  throw new AppError('unavailable', 'unavailable', 'The interaction is changed by others at the same time', {
    retryAfterSeconds: 1,
  });
}

async function redactAnswers(
  { db, definitions }: Deps,
  request: RedactCustomerRequest,
  after: string,
): Promise<RedactCustomerResponse> {
  const { workspaceId, details } = request;
  const answers = await listAnswers(db, request, after, rowsPerPage);
  for (const stored of answers) {
    const answer = Interaction.decode(stored.response);
    const row = await loadInteraction(db, workspaceId, answer.id);
    // Made behind the fence, it holds the details of now.
    if (!row || row.redactedVersion < request.customerVersion) continue;
    const redacted = redactedAnswer(answer, row, await definitionOf(definitions, row), details);
    const response = Buffer.from(Interaction.encode(redacted).finish());
    // Changed by another who does the same at once: the page is read again.
    if (!(await replaceAnswer(db, workspaceId, stored, response))) {
      return { completions: [], nextPageToken: request.pageToken };
    }
  }
  const last = answers.length === rowsPerPage && answers.at(-1);
  return { completions: [], nextPageToken: last ? ofAnswers + last.scope : '' };
}

async function definitionOf(
  definitions: Deps['definitions'],
  row: InteractionRow,
): Promise<BotDefinition | null> {
  return row.botVersion === null ? null : definitions.get(row.workspaceId, row.botId, row.botVersion);
}
