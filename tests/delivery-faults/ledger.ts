import type { Entry } from './receiver.ts';
import { scheduleSeconds, type World } from './world.ts';

/** An injected fault, by the clock of this machine. */
export interface Strike {
  name: string;
  kills: boolean;
  fromMs: number;
  toMs: number;
}

/** The records of the database and the receivers about all completions. */
export interface Account {
  completed: number;
  deliveries: number;
  attempts: number;
  states: Record<string, number>;
  /** The faults that explain the duplicates of successful deliveries. */
  duplicates: (Strike | undefined)[];
  faults: string[];
}

interface DeliveryRow {
  id: string;
  eventId: string;
  /** The completed interaction. */
  about: string;
  webhookId: string;
  state: string;
  attempts: number;
}

interface AttemptRow {
  deliveryId: string;
  number: number;
  status: number | null;
  error: string | null;
}

/** A worker that dies loses results that the database could not store for this long. */
const unrecordedMsMax = 5_000;
/** Its requests are answered for this long after its death. */
const unheardMsMax = 1_000;

/** Compares the database with the requests of the receivers. No delivery may be in flight. */
export async function settleAccounts(
  world: World,
  { completed, entries, strikes }: { completed: string[]; entries: Entry[]; strikes: Strike[] },
): Promise<Account> {
  await using sql = await world.openSql();
  const deliveries = await sql.query<DeliveryRow>(
    `select delivery.id, event_id as "eventId", event.about, webhook_id as "webhookId", state, attempts
     from webhook.delivery join webhook.event on event.id = delivery.event_id`,
  );
  const attempts = await sql.query<AttemptRow>(
    `select delivery_id as "deliveryId", number, status, error from webhook.every_attempt order by delivery_id, number`,
  );
  const faults = [
    ...missingDeliveries(world, completed, deliveries),
    ...changedRequests(entries, deliveries),
    ...(await stayingWebhooks(world)),
  ];
  const attemptsOf = Map.groupBy(attempts, (attempt) => attempt.deliveryId);
  const entriesOf = Map.groupBy(entries, (entry) => entry.deliveryId);
  const leaving = new Set(world.leaving.map(({ id }) => id));
  const duplicates: Account['duplicates'] = [];
  for (const delivery of deliveries) {
    const made = attemptsOf.get(delivery.id) ?? [];
    const seen = entriesOf.get(delivery.id) ?? [];
    const wrong = [
      stateFault(delivery, made, leaving.has(delivery.webhookId)),
      numbersFault(delivery, made, seen),
    ];
    faults.push(...wrong.flatMap((fault) => (fault ? [describe(fault, delivery, made, seen)] : [])));
    for (const cause of repetitions(seen, strikes)) {
      duplicates.push(cause);
      if (!cause) faults.push(describe('duplicate without a cause', delivery, made, seen));
    }
  }
  const states: Record<string, number> = {};
  for (const { state } of deliveries) states[state] = (states[state] ?? 0) + 1;
  return {
    completed: completed.length,
    deliveries: deliveries.length,
    attempts: attempts.length,
    states,
    duplicates,
    faults,
  };
}

/** Every completed interaction has one delivery for each webhook. */
function missingDeliveries({ webhookIds }: World, completed: string[], rows: DeliveryRow[]): string[] {
  const counts = new Map<string, number>();
  for (const { about, webhookId } of rows) {
    const key = `${about} for webhook ${webhookId}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const wanted = completed.flatMap((id) => webhookIds.map((webhookId) => `${id} for webhook ${webhookId}`));
  return [
    ...wanted.filter((key) => !counts.has(key)).map((key) => `no delivery of ${key}`),
    ...[...counts].filter(([, count]) => count > 1).map(([key, count]) => `${count} deliveries of ${key}`),
  ];
}

/** An event has the same bytes and the same id in all of its requests. */
function changedRequests(entries: readonly Entry[], deliveries: readonly DeliveryRow[]): string[] {
  const events = new Map(deliveries.map(({ id, eventId }) => [id, eventId]));
  const digests = new Map<string, string>();
  const faults: string[] = [];
  for (const { deliveryId, messageId, digest } of entries) {
    const eventId = events.get(deliveryId);
    if (eventId === undefined) faults.push(`a request of the unknown delivery ${deliveryId}`);
    else if (messageId !== eventId) {
      faults.push(`event ${eventId} was sent as ${messageId}`);
    }
    if (digest === null) continue;
    if (digest !== (digests.get(messageId) ?? digest)) faults.push(`${messageId} was sent with other bytes`);
    digests.set(messageId, digest);
  }
  return faults;
}

/** A webhook whose receiver is gone, or has failed for days, finally is inactive for that reason. */
async function stayingWebhooks(world: World): Promise<string[]> {
  await using sql = await world.openSql();
  const rows = await sql.query<{ id: string; reason: string | null }>(
    'select id, inactive_reason as reason from webhook.webhook where id = any($1)',
    [world.leaving.map(({ id }) => id)],
  );
  const reasons = new Map(rows.map(({ id, reason }) => [id, reason]));
  return world.leaving
    .filter(({ id, reason }) => reasons.get(id) !== reason)
    .map(({ id, reason }) => `webhook ${id} should be inactive (${reason}) and is ${reasons.get(id)}`);
}

/** It is finished, for a reason that matches its attempts. */
function stateFault(
  { state }: DeliveryRow,
  made: readonly AttemptRow[],
  isLeaving: boolean,
): string | undefined {
  const last = made.at(-1);
  if (made.slice(0, -1).some(({ error }) => error === null))
    return 'attempted again after a recorded success';
  switch (state) {
    case 'succeeded':
      return last?.error === null ? undefined : 'succeeded without a successful attempt';
    case 'failed':
      if (!last || last.error === null) return 'failed without a failed attempt';
      if (made.length === scheduleSeconds.length + 1) return undefined;
      if (isLeaving && last.error === 'http_410') return undefined;
      return 'failed with attempts left';
    case 'skipped':
      return isLeaving ? undefined : 'skipped, although its webhook is active';
    default:
      return 'not finished';
  }
}

/** Attempts are numbered from 1 without a gap, and are the attempts that the receiver saw. */
function numbersFault(delivery: DeliveryRow, made: readonly AttemptRow[], seen: readonly Entry[]) {
  if (made.length !== delivery.attempts) return 'another number of attempts than recorded';
  if (made.some(({ number }, index) => number !== index + 1)) return 'a gap in the attempts';
  let highest = 0;
  for (const { attempt } of seen) {
    if (attempt < highest) return 'a falling attempt number';
    if (attempt > highest + 1) return 'a missing attempt number';
    highest = attempt;
  }
  // A webhook may be deactivated by a worker that dies.
  const unrecordedMax = delivery.state === 'skipped' ? 1 : 0;
  if (highest > made.length + unrecordedMax) return 'an unrecorded attempt';
  const isSeen = ({ number, status }: AttemptRow): boolean =>
    status === null || seen.some(({ attempt, answer }) => attempt === number && answer === status);
  return made.every(isSeen) ? undefined : 'an attempt with another answer than sent';
}

const isSuccess = ({ answer }: Entry): boolean => typeof answer === 'number' && answer >= 200 && answer < 300;

/** Returns the fault before each duplicate that prevented the record of its success. */
function repetitions(seen: readonly Entry[], strikes: readonly Strike[]): Account['duplicates'] {
  return seen
    .filter(isSuccess)
    .slice(0, -1)
    .map(({ answeredAtMs }) => {
      const atMs = answeredAtMs ?? 0;
      return strikes.find(
        ({ kills, fromMs, toMs }) => kills && atMs <= toMs + unheardMsMax && fromMs - unrecordedMsMax <= atMs,
      );
    });
}

function describe(
  fault: string,
  delivery: DeliveryRow,
  made: readonly AttemptRow[],
  seen: readonly Entry[],
): string {
  const recorded = made.map(({ number, status, error }) => `${number}: ${error ?? status}`).join(', ');
  const received = seen.map(({ attempt, answer }) => `${attempt}: ${answer}`).join(', ');
  const { id, state } = delivery;
  const path = seen[0]?.path ?? 'no request';
  return `delivery ${id} (${path}, ${state}): ${fault}; recorded ${recorded || 'none'}; received ${received || 'none'}`;
}
