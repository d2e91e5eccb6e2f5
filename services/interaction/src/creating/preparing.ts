import { jsonBytes } from '@parley/bot/conversation-size';
import type {
  Customer,
  EnsureCustomersRequest,
  EnsureCustomersResponse,
} from '@parley/contracts/customer/v1/customer';
import type { CreateInteractionsRequest, NewInteraction } from '@parley/contracts/interaction/v1/interaction';
import type { Scope } from '@parley/contracts/scopes';
import { raiseLowFences } from '@parley/postgres/fence';
import { type CallContext, onBehalfOf } from '@parley/rpc/context';
import { AppError, invalidRequest, missingScope } from '@parley/runtime/errors';
import { v7 as uuidv7 } from 'uuid';
import { type LoadedBot, loadNamedBot } from '../bots/store.ts';
import { isLimiting, limitsOf } from '../contacts/contact-policy.ts';
import { isOffered, judgeOffers, type Offer, offeredFrom } from '../contacts/offering.ts';
import type { Deps } from '../deps.ts';
import type { Creation } from './creation-store.ts';
import { changedAvailability } from '../interactions/availability.ts';
import { eventsOfCreation } from '../interactions/events.ts';
import { priorityOf, statusOf } from '../interactions/message.ts';
import { notBegun } from '../interactions/store.ts';
import { creationFaults, expiryInstant } from './request-faults.ts';
import { startConversation } from './starting.ts';

/**
 * All conversations that one call begins, as JSON. Several processes have them in memory at once, and each may be of
 * the largest size of a conversation.
 */
export const startedBytesMax = 4 * 1024 * 1024;

export type Prepared = Creation | AppError;

interface Valid {
  index: number;
  item: NewInteraction;
  bot: LoadedBot;
}

/**
 * Returns the interactions to insert, in order. Creates their customers and sets the given details first, in one call
 * and with one change of each customer: a conversation begins with the details that the items up to its own give. An
 * item that is not valid, or that the contact policy refuses already now, changes no customer. PERMISSION_DENIED is the
 * error of an item with other details of a customer that exists, if the call may only create customers.
 */
export async function prepareAll(
  deps: Deps,
  {
    workspaceId,
    onlyCreatesCustomers,
  }: Pick<CreateInteractionsRequest, 'workspaceId' | 'onlyCreatesCustomers'>,
  items: readonly NewInteraction[],
  call: CallContext,
): Promise<Prepared[]> {
  const bots = await loadBots(deps, workspaceId, items);
  const prepared: Prepared[] = [];
  const wellFormed: Valid[] = [];
  for (const [index, item] of items.entries()) {
    const bot = bots.get(nameOfBot(item));
    const faults = creationFaults(item, bot);
    if (bot && faults.length === 0) wellFormed.push({ index, item, bot });
    else prepared[index] = invalidRequest(faults);
  }
  // A call that may only create customers changes none.
  const refused = onlyCreatesCustomers
    ? new Map<Valid, AppError>()
    : await refusedOf(deps, workspaceId, wellFormed);
  for (const [{ index }, error] of refused) prepared[index] = error;
  const valid = wellFormed.filter((one) => !refused.has(one));
  const { customers, unchanged } = await ensureAll(
    deps,
    { workspaceId, onlyCreates: onlyCreatesCustomers },
    valid.map(({ item }) => item),
    call,
  );
  await passDeletions(deps, workspaceId, customers);
  const started = { bytesLeft: startedBytesMax };
  for (const [n, { index, ...one }] of valid.entries()) {
    const customer = customers[n];
    if (!customer) throw new Error('the customer service returned too few customers');
    prepared[index] = unchanged.includes(n)
      ? mayNotChangeCustomer()
      : await prepareOne(deps, workspaceId, { ...one, customer }, started);
  }
  return prepared;
}

/** Returns the named bots of the workspace that exist, by `nameOfBot`. */
async function loadBots(
  { db }: Deps,
  workspaceId: string,
  items: readonly NewInteraction[],
): Promise<Map<string, LoadedBot | undefined>> {
  const named = Array.from(new Map(items.map((item) => [nameOfBot(item), item])));
  return new Map(
    await Promise.all(
      named.map(async ([name, { botId, botKey }]) => {
        // With a key, the id is empty.
        const named = typeof botKey === 'string' ? { key: botKey } : { id: botId, key: null };
        return [name, await loadNamedBot(db, workspaceId, named)] as const;
      }),
    ),
  );
}

function nameOfBot({ botId, botKey }: Pick<NewInteraction, 'botId' | 'botKey'>): string {
  return typeof botKey === 'string' ? `key ${botKey}` : `id ${botId}`;
}

/**
 * Returns the errors of items that the contact policy refuses. Without a policy, it costs nothing. Others may offer
 * meanwhile, so offers are decided again when they are inserted.
 */
async function refusedOf(
  { db }: Deps,
  workspaceId: string,
  items: readonly Valid[],
): Promise<Map<Valid, AppError>> {
  const now = new Date();
  const offering = items.flatMap((one) => {
    const offer = offerOf(one, offeredAtOf(one.item, now));
    return offer ? [{ one, offer }] : [];
  });
  if (offering.every(({ offer }) => offer.isForced)) return new Map();
  const offers = offering.map(({ offer }) => offer);
  const errors = await judgeOffers(db, { workspaceId }, offers);
  const refused = offering.map(({ one }, n) => [one, errors[n]] as const);
  return new Map(refused.flatMap(([one, error]) => (error ? [[one, error]] : [])));
}

async function ensureAll(
  { customers }: Deps,
  { workspaceId, onlyCreates }: Pick<EnsureCustomersRequest, 'workspaceId' | 'onlyCreates'>,
  items: readonly NewInteraction[],
  call: CallContext,
): Promise<EnsureCustomersResponse> {
  const [first] = items;
  if (!first) return { customers: [], unchanged: [] };
  if (items.length === 1 && !first.customer) {
    const customer = await customers.ensureCustomer({ workspaceId, id: first.customerId }, onBehalfOf(call));
    return { customers: [customer], unchanged: [] };
  }
  const wanted = items.map(({ customerId: id, customer }) => ({ id, ...customer }));
  return customers.ensureCustomers({ workspaceId, customers: wanted, onlyCreates }, onBehalfOf(call));
}

/**
 * Raises the fences of customers that were created again to the deletion of the earlier ones. Its first page may come
 * later, and would delete what is created now. Sessions of the earlier customer would see it.
 */
async function passDeletions(
  { db }: Deps,
  workspaceId: string,
  customers: readonly Customer[],
): Promise<void> {
  const again = customers.flatMap(({ id: customerId, deletedVersion: version }) =>
    version ? [{ customerId, version }] : [],
  );
  await raiseLowFences(db, workspaceId, again);
}

async function prepareOne(
  { definitions, compute, hasModel }: Deps,
  workspaceId: string,
  { item, bot, customer }: { item: NewInteraction; bot: LoadedBot; customer: Customer },
  started: { bytesLeft: number },
): Promise<Prepared> {
  const now = new Date();
  const draft: Creation['row'] = {
    ...notBegun,
    id: uuidv7(),
    workspaceId,
    customerId: item.customerId,
    botId: bot.id,
    status: 'Draft',
    priority: priorityOf(item.priority) ?? 'Medium',
    type: bot.type,
    typeLabel: bot.typeLabel,
    isTest: item.isTest === true,
    context: item.context,
    expiresAt: expiryInstant(item.expirySeconds ?? 0, now),
    availableFrom: item.availableFrom ?? null,
    createdAt: now,
  };
  const status = statusOf(item.status) ?? 'Draft';
  const offeredAt = offeredAtOf(item, now);
  const offer = offerOf({ item, bot }, offeredAt);
  // Completed or Expired at creation is an import: no conversation, no event.
  const { version: customerVersion } = customer;
  if (status !== 'InProgress') {
    const row = { ...draft, status, offeredAt, completedAt: status === 'Completed' ? now : null };
    const { reminders } = bot;
    const availability = changedAvailability(undefined, row, now, { reminders: reminders ?? [] });
    return { row, customerVersion, events: eventsOfCreation(row, undefined, now), offer, availability };
  }
  if (started.bytesLeft <= 0) return tooManyStarted();
  const definition = await definitions.get(workspaceId, bot.id, bot.version);
  const change = await compute(() =>
    startConversation({ version: bot.version, definition }, draft, customer, now, { hasModel }),
  );
  started.bytesLeft -= jsonBytes(change.transcript) + jsonBytes(change.state);
  const row = { ...draft, ...change, offeredAt };
  return { row, customerVersion, events: eventsOfCreation(draft, change, now), offer };
}

/** Returns when the contact policy counts an item. Null: it does not. */
function offeredAtOf({ status, isTest, availableFrom }: NewInteraction, now: Date): Date | null {
  if (isTest === true || !isOffered(statusOf(status) ?? 'Draft')) return null;
  return offeredFrom(availableFrom ?? null, now);
}

/** Undefined if nothing is offered, or the workspace has no limit. */
function offerOf({ item, bot }: Pick<Valid, 'item' | 'bot'>, offeredAt: Date | null): Offer | undefined {
  const limits = limitsOf(bot.contactPolicy ?? {});
  if (offeredAt === null || !isLimiting(limits)) return undefined;
  const { customerId, ignoreContactPolicy } = item;
  return { customerId, botId: bot.id, offeredAt, limits, isForced: ignoreContactPolicy === true };
}

const changeScope: Scope = 'customers:write';

function mayNotChangeCustomer(): AppError {
  return missingScope([{ pointer: '/customer', detail: changeScope }]);
}

function tooManyStarted(): AppError {
  const bound = `${startedBytesMax / 1024 / 1024} MiB`;
  return new AppError(
    'payload_too_large',
    'conversations-too-large',
    `The conversations that this call begins have more than ${bound}: send the rest in another call`,
  );
}
