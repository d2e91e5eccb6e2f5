import { audit, auditRows } from '@parley/audit/rows';
import type {
  Customer,
  EnsureCustomersResponse,
  EnsuredCustomer,
} from '@parley/contracts/customer/v1/customer';
import { detailNames, type Details, noDetails, perDetail } from '@parley/contracts/customer-details';
import type { Kysely } from 'kysely';
import { actionOn, changedDetails } from '../auditing.ts';
import type { Tables } from '../schema.ts';
import { findCustomers, insertMissing, lockCustomers, updateCustomers } from './store.ts';

/**
 * Returns one customer for each wanted one, in order: creates missing customers, and sets the given details. A customer
 * is changed once, with one row in the audit log, however often its id repeats: the last detail that is given counts.
 * Each wanted customer is returned with the details that were given until its turn. With `onlyCreates`, no customer is
 * changed: a missing customer is created with the first detail of each kind that is given for its id. `beforeInsert`
 * runs before the statement that creates.
 */
export async function ensureCustomers(
  db: Kysely<Tables>,
  workspaceId: string,
  wanted: readonly EnsuredCustomer[],
  { onlyCreates = false, beforeInsert }: Ensuring,
): Promise<EnsureCustomersResponse> {
  // The first detail of each kind is the last one in reverse order.
  const distinct = mergedOf(onlyCreates ? wanted.toReversed() : wanted);
  const { before, after } = await ensureOnce(db, workspaceId, distinct, { onlyCreates, beforeInsert });
  if (onlyCreates) {
    const isRefused = (one: EnsuredCustomer): boolean => differs(after.get(one.id), one);
    const unchanged = wanted.flatMap((one, index) => (isRefused(one) ? [index] : []));
    return { customers: wanted.map(({ id }) => existingIn(after, id)), unchanged };
  }
  const latest = new Map<string, Details>(before);
  const customers = wanted.map((given) => {
    const details = withGiven(latest.get(given.id) ?? noDetails, given);
    latest.set(given.id, details);
    return { ...existingIn(after, given.id), ...details };
  });
  return { customers, unchanged: [] };
}

interface Ensuring {
  onlyCreates?: boolean;
  beforeInsert: () => Promise<void>;
}

/** Returns each id once, with the last detail that is given of each kind. */
function mergedOf(wanted: readonly EnsuredCustomer[]): EnsuredCustomer[] {
  const merged = new Map<string, EnsuredCustomer>();
  for (const customer of wanted) {
    const given = detailNames.filter((column) => typeof customer[column] === 'string');
    const details = Object.fromEntries(given.map((column) => [column, customer[column]]));
    merged.set(customer.id, { id: customer.id, ...merged.get(customer.id), ...details });
  }
  return [...merged.values()];
}

function withGiven(before: Details, given: EnsuredCustomer): Details {
  return perDetail((name) => given[name] ?? before[name]);
}

/** Customers before and after the details were set: as one transaction has seen them. */
interface Ensured {
  before: Map<string, Customer>;
  after: Map<string, Customer>;
}

async function ensureOnce(
  db: Kysely<Tables>,
  workspaceId: string,
  wanted: readonly EnsuredCustomer[],
  ensuring: Ensuring,
): Promise<Ensured> {
  const ids = wanted.map(({ id }) => id);
  const before = mapOf(await findCustomers(db, workspaceId, ids));
  const after = new Map(before);
  const missing = wanted.filter(({ id }) => !before.has(id));
  if (missing.length > 0) {
    await ensuring.beforeInsert();
    const rows = missing.flatMap(({ id }) => auditRows(actionOn(workspaceId, id, 'customer.created')));
    for (const one of await insertMissing(db, workspaceId, missing, rows)) after.set(one.id, one);
  }
  if (ensuring.onlyCreates) return { before, after };
  const changed = wanted.filter((customer) => differs(after.get(customer.id), customer));
  if (changed.length > 0) {
    const change = await changeCustomers(db, workspaceId, changed);
    // One of them was deleted meanwhile: it is created again.
    if (changed.some(({ id }) => !change.after.has(id))) return ensureOnce(db, workspaceId, wanted, ensuring);
    for (const [id, one] of change.before) before.set(id, one);
    for (const [id, one] of change.after) after.set(id, one);
  }
  return { before, after };
}

/** Sets the given details with their rows in the audit log. Returns the customers that exist. */
function changeCustomers(
  db: Kysely<Tables>,
  workspaceId: string,
  wanted: readonly EnsuredCustomer[],
): Promise<Ensured> {
  return db.transaction().execute(async (trx) => {
    const ids = wanted.map(({ id }) => id);
    const before = mapOf(await lockCustomers(trx, workspaceId, ids));
    const changed = wanted.filter((customer) => differs(before.get(customer.id), customer));
    const after = changed.length > 0 ? await updateCustomers(trx, workspaceId, changed) : [];
    const actions = after.map((customer) => {
      const changes = changedDetails(existingIn(before, customer.id), customer);
      return actionOn(workspaceId, customer.id, 'customer.updated', changes);
    });
    await audit(trx, ...actions);
    return { before, after: new Map([...before, ...mapOf(after)]) };
  });
}

function differs(known: Details | undefined, wanted: EnsuredCustomer): boolean {
  return (
    known !== undefined && detailNames.some((column) => (wanted[column] ?? known[column]) !== known[column])
  );
}

function mapOf(customers: readonly Customer[]): Map<string, Customer> {
  return new Map(customers.map((customer) => [customer.id, customer]));
}

function existingIn(customers: ReadonlyMap<string, Customer>, id: string): Customer {
  const customer = customers.get(id);
  if (!customer) throw new Error('a customer was deleted between two statements');
  return customer;
}
