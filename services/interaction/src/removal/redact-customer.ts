import {
  Interaction,
  type RedactCustomerRequest,
  type RedactCustomerResponse,
} from '@parley/contracts/interaction/v1/interaction';
import { raiseFence } from '@parley/postgres/fence';
import { invalidCursor } from '@parley/runtime/cursor';
import { changeAttemptsMax, invalidRequest, unavailable } from '@parley/runtime/errors';
import { NIL, validate as isUuid } from 'uuid';
import type { Deps } from '../deps.ts';
import { countChange } from '../metrics.ts';
import { inSlices } from '../in-slices.ts';
import { saveInteraction } from '../changing/change-store.ts';
import { dataOf } from '../interactions/completion.ts';
import { eventsOf, redactedEvent } from '../interactions/events.ts';
import { type InteractionChange, type InteractionRow, loadInteraction } from '../interactions/store.ts';
import {
  deleteMessages,
  keepIdsBeforeFence,
  listAnswers,
  listIdsBeforeFence,
  replaceAnswer,
} from './redaction-store.ts';
import { redactedAnswer, redactedChange } from './redaction.ts';

const rowsPerPage = 50;
/** Interactions of a page that are redacted at once: few, because each one takes a connection that other calls need. */
export const rowsAtOnceMax = 2;
/** The bytes of histories on a page: the webhook service gets them again. */
const bytesPerPage = 1024 * 1024;
/** A page of answers ends after this time, so that it is recorded before its call times out. */
const answersMsMax = 2_000;
/** The prefix of page tokens for stored answers. Other tokens are ids of interactions. */
const answersPrefix = 'replays/';

/** Throws INVALID_ARGUMENT for a text that is no page token; empty for the first page. */
function requirePageToken({ pageToken }: { pageToken: string }): void {
  if (pageToken === '' || pageToken.startsWith(answersPrefix) || isUuid(pageToken)) return;
  throw invalidCursor('/pageToken');
}

/**
 * Redacts a page: first the stored answers, while the interactions still have the details that their conversations
 * began with, then the interactions. Raises the fence first, so no call can write the details behind a finished page,
 * and new interactions add no pages. Each step is idempotent: after a failure, start again.
 */
export async function redactCustomer(
  deps: Deps,
  request: RedactCustomerRequest,
): Promise<RedactCustomerResponse> {
  requireVersion(request);
  requirePageToken(request);
  const { pageToken } = request;
  await raiseFence(deps.db, request, request.customerVersion);
  return pageToken === '' || pageToken.startsWith(answersPrefix)
    ? redactAnswers(deps, request, pageToken.slice(answersPrefix.length))
    : redactInteractions(deps, request, pageToken);
}

/** Throws INVALID_ARGUMENT for version 0, which would raise a fence without effect. */
export function requireVersion({ customerVersion }: { customerVersion: number }): void {
  if (customerVersion >= 1) return;
  throw invalidRequest([{ pointer: '/customerVersion', detail: 'Must be at least 1' }]);
}

/** Redacts a page of answers. Continues with the first interactions if there are no more. */
async function redactAnswers(
  deps: Deps,
  request: RedactCustomerRequest,
  after: string,
): Promise<RedactCustomerResponse> {
  const { db, definitions, compute } = deps;
  const { workspaceId, customerVersion, details } = request;
  const page = await listAnswers(db, request, after, { limit: rowsPerPage, bytesMax: bytesPerPage });
  const answers = page.map((stored) => ({ stored, answer: Interaction.decode(stored.response) }));
  const ids = answers.map(({ answer }) => answer.id);
  // Later interactions hold the current details, which stay.
  const before = await keepIdsBeforeFence(db, request, customerVersion, ids);
  let done = after;
  const endsAtMs = performance.now() + answersMsMax;
  for (const { stored, answer } of answers) {
    const row = before.has(answer.id) && (await loadInteraction(db, workspaceId, answer.id));
    if (row) {
      const { definition } = await definitions.of(row);
      const redacted = await inSlices(compute, redactedAnswer(answer, row, definition, details));
      const response = Buffer.from(Interaction.encode(redacted).finish());
      const isReplaced =
        response.equals(stored.response) || (await replaceAnswer(db, workspaceId, stored, response));
      // A concurrent call has changed it: read the page again.
      if (!isReplaced) return withoutInteractions(answersPrefix + done);
    }
    done = stored.storedKey;
    if (performance.now() > endsAtMs) return withoutInteractions(answersPrefix + done);
  }
  // The limit of bytes can shorten a page, so only an empty one is the last.
  const last = page.at(-1);
  return last ? withoutInteractions(answersPrefix + last.storedKey) : redactInteractions(deps, request, NIL);
}

function withoutInteractions(nextPageToken: string): RedactCustomerResponse {
  return { interactionIds: [], nextPageToken, interactionsRemoved: 0 };
}

async function redactInteractions(
  deps: Deps,
  request: RedactCustomerRequest,
  after: string,
): Promise<RedactCustomerResponse> {
  const ids = await listIdsBeforeFence(deps.db, request, request.customerVersion, after, rowsPerPage);
  const page = withoutInteractions('');
  let bytes = 0;
  for (let from = 0; from < ids.length; from += rowsAtOnceMax) {
    const some = ids.slice(from, from + rowsAtOnceMax);
    const redacted = await Promise.all(some.map((id) => redactInteraction(deps, request, id)));
    for (const one of redacted) bytes += one ? addToPage(page, one) : 0;
    const last = some.at(-1);
    if (last && bytes >= bytesPerPage) return { ...page, nextPageToken: last };
  }
  const last = ids.length === rowsPerPage && ids.at(-1);
  return { ...page, nextPageToken: last || '' };
}

/** Returns the bytes of the history. */
function addToPage(page: RedactCustomerResponse, { row, isRemoved }: Redacted): number {
  page.interactionIds.push(row.id);
  page.interactionsRemoved += Number(isRemoved);
  return dataOf(row)?.length ?? 0;
}

interface Redacted {
  row: InteractionRow;
  /** Whether this erasure has redacted it, now or earlier, and no other one before. */
  isRemoved: boolean;
}

/** Redacts an interaction, unless it is redacted for this version already. */
async function redactInteraction(
  deps: Deps,
  { workspaceId, customerVersion, firstVersion, details }: RedactCustomerRequest,
  id: string,
): Promise<Redacted | undefined> {
  for (let tries = 0; tries < changeAttemptsMax; tries += 1) {
    const row = await loadInteraction(deps.db, workspaceId, id);
    if (!row) return undefined;
    const isRemoved = row.redactedVersion === 0 || row.redactedVersion >= (firstVersion ?? 0);
    if (row.redactedVersion >= customerVersion) return { row, isRemoved };
    const { definition } = await deps.definitions.of(row);
    const redacted = await inSlices(deps.compute, redactedChange(row, definition, details));
    const saved = await saveRedaction(deps, row, { ...redacted, redactedVersion: customerVersion });
    if (saved) return { row: saved, isRemoved };
  }
  throw unavailable(undefined, 'The interaction is changed by others at the same time');
}

/** Saves the row and deletes its messages in one transaction, so that a crash leaves both or none. */
async function saveRedaction(
  { db, watch, relay }: Deps,
  row: InteractionRow,
  change: InteractionChange,
): Promise<InteractionRow | undefined> {
  const saved = await db.transaction().execute(async (trx) => {
    const expired = eventsOf(row, change, { now: new Date(), expiredBy: 'anonymised' });
    const events = [...expired, redactedEvent(row)];
    const written = await saveInteraction(trx, { before: row, change, events, message: null });
    if (written) await deleteMessages(trx, row.workspaceId, row.id);
    return written;
  });
  if (!saved) return undefined;
  countChange(row, change);
  relay.wake();
  watch.wake(saved.id, saved.version);
  return saved;
}
