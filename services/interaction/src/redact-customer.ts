import {
  Interaction,
  type RedactCustomerRequest,
  type RedactCustomerResponse,
} from '@parley/contracts/interaction/v1/interaction';
import { AppError, changeTriesMax, invalidRequest } from '@parley/runtime/errors';
import { NIL, validate as isUuid } from 'uuid';
import { dataOf } from './completion.ts';
import type { Deps } from './deps.ts';
import { raiseFence } from './fence-store.ts';
import {
  type InteractionChange,
  type InteractionRow,
  loadInteraction,
  saveInteraction,
} from './interaction-store.ts';
import { redactedAnswer, redactedChange } from './redaction.ts';
import {
  forgetMessages,
  keepIdsBeforeFence,
  listAnswers,
  listIdsBeforeFence,
  replaceAnswer,
} from './redaction-store.ts';

const rowsPerPage = 50;
/** Few, so that others are served meanwhile. */
const rowsAtOnce = 5;
/** Of histories: keeps a page short and its message small. */
const bytesPerPage = 4 * 1024 * 1024;
/** How the tokens of the pages begin that are about answers; the others are ids of interactions. */
const ofAnswers = 'replays/';

/** Whether a page can be asked for with it; empty for the first one. */
export function isPageToken(text: string): boolean {
  return text === '' || text.startsWith(ofAnswers) || isUuid(text);
}

/**
 * Takes a person out of a page: first of the answers kept for replays, as long as the interactions still know which details
 * their talks began with, then of the interactions. The fence goes up before anything is looked for, so nothing that was
 * read of the person is written behind a page that is done, and there is an end to the pages however many interactions
 * are made meanwhile. Each step can be done again, so a caller that failed starts anew; what is done already is only read.
 */
export async function redactCustomer(
  deps: Deps,
  request: RedactCustomerRequest,
): Promise<RedactCustomerResponse> {
  // What has no version would raise a fence that holds back nothing, and pass for done.
  if (request.customerVersion < 1) {
    throw invalidRequest([{ pointer: '/customerVersion', detail: 'Must be at least 1' }]);
  }
  const { pageToken } = request;
  const raisedAt = await raiseFence(deps.db, request, request.customerVersion);
  return pageToken === '' || pageToken.startsWith(ofAnswers)
    ? redactAnswers(deps, request, raisedAt, pageToken.slice(ofAnswers.length))
    : redactInteractions(deps, request, raisedAt, pageToken);
}

/** A page of answers; the last one, of which there may be none, goes on with the first interactions. */
async function redactAnswers(
  deps: Deps,
  request: RedactCustomerRequest,
  raisedAt: Date,
  after: string,
): Promise<RedactCustomerResponse> {
  const { db, definitions } = deps;
  const { workspaceId, customerVersion, details } = request;
  const page = await listAnswers(db, request, after, { limit: rowsPerPage, bytesMax: bytesPerPage });
  const answers = page.map((stored) => ({ stored, answer: Interaction.decode(stored.response) }));
  const ids = answers.map(({ answer }) => answer.id);
  // Those made behind the fence hold the details of now.
  const before = await keepIdsBeforeFence(db, request, customerVersion, ids);
  for (const { stored, answer } of answers) {
    const row = before.has(answer.id) && (await loadInteraction(db, workspaceId, answer.id));
    if (!row) continue;
    const redacted = redactedAnswer(answer, row, await definitions.ofStarted(row), details);
    const response = Buffer.from(Interaction.encode(redacted).finish());
    if (response.equals(stored.response)) continue;
    // Changed by another who does the same at once: the page is read again.
    if (!(await replaceAnswer(db, workspaceId, stored, response))) {
      return { completions: [], nextPageToken: ofAnswers + after };
    }
  }
  // One that was cut short by its bytes has fewer rows than there are: only an empty one is the last.
  const last = page.at(-1);
  return last
    ? { completions: [], nextPageToken: ofAnswers + last.scope }
    : redactInteractions(deps, request, raisedAt, NIL);
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
  return { completions, nextPageToken: last || '' };
}

/** The interaction without the person: at once when an earlier try has been here. */
async function redactInteraction(
  deps: Deps,
  { workspaceId, customerVersion, details }: RedactCustomerRequest,
  raisedAt: Date,
  id: string,
): Promise<InteractionRow | undefined> {
  for (let tries = 0; tries < changeTriesMax; tries += 1) {
    const row = await loadInteraction(deps.db, workspaceId, id);
    if (!row || row.redactedVersion >= customerVersion) return row;
    const redacted = redactedChange(row, await deps.definitions.ofStarted(row), details, raisedAt);
    const saved = await saveRedaction(deps, row, { ...redacted, redactedVersion: customerVersion });
    if (saved) return saved;
  }
  throw new AppError('unavailable', 'unavailable', 'The interaction is changed by others at the same time', {
    retryAfterSeconds: 1,
  });
}

/**
 * The row together with the messages that were taken in it until then: who comes after a crash finds both, or none, and
 * forgets nothing that was taken since.
 */
async function saveRedaction(
  { db, watch }: Deps,
  row: InteractionRow,
  change: InteractionChange,
): Promise<InteractionRow | undefined> {
  const saved = await db.transaction().execute(async (trx) => {
    const written = await saveInteraction(trx, row, change, null, null);
    if (written) await forgetMessages(trx, row.workspaceId, row.id);
    return written;
  });
  if (saved) watch.wake(saved.id, saved.version);
  return saved;
}
