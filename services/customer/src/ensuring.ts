import { audit, auditRows } from '@parley/audit/rows';
import type {
  Customer,
  EnsureCustomersResponse,
  EnsuredCustomer,
} from '@parley/contracts/customer/v1/customer';
import type { Kysely } from 'kysely';
import { actionOn, changedDetails } from './auditing.ts';
import { type Details, personalColumns, type Tables } from './schema.ts';
import { findCustomers, insertMissing, lockCustomers, updateCustomers } from './store.ts';

/**
 * Returns one customer for each wanted one, in order, as it is after its turn: creates those that are missing, and sets
 * the given details, except with `onlyCreates` those of customers that exist. Each change has its row in the audit log.
 * A wanted id that repeats with details has its turn after the earlier ones. Each turn takes at most two statements and
 * a transaction. `beforeInsert` runs before the first one that creates.
 */
export async function ensureCustomers(
  db: Kysely<Tables>,
  workspaceId: string,
  wanted: readonly EnsuredCustomer[],
  { onlyCreates = false, beforeInsert }: Ensuring,
): Promise<EnsureCustomersResponse> {
  const customers: Customer[] = [];
  const unchanged: number[] = [];
  for (const turn of turnsOf(wanted)) {
    const byId = await ensureOnce(db, workspaceId, turn, { onlyCreates, beforeInsert });
    for (const one of turn) {
      if (onlyCreates && differs(byId.get(one.id), one)) unchanged.push(customers.length);
      customers.push(existingIn(byId, one.id));
    }
  }
  return { customers, unchanged };
}

interface Ensuring {
  onlyCreates?: boolean;
  beforeInsert: () => Promise<void>;
}

/** Splits a list into parts in which no id repeats with details. */
function turnsOf(wanted: readonly EnsuredCustomer[]): EnsuredCustomer[][] {
  let turn: EnsuredCustomer[] = [];
  const turns = [turn];
  let ids = new Set<string>();
  for (const customer of wanted) {
    if (ids.has(customer.id) && hasDetails(customer)) {
      turn = [];
      turns.push(turn);
      ids = new Set();
    }
    turn.push(customer);
    ids.add(customer.id);
  }
  return turns;
}

async function ensureOnce(
  db: Kysely<Tables>,
  workspaceId: string,
  wanted: readonly EnsuredCustomer[],
  ensuring: Ensuring,
): Promise<Map<string, Customer>> {
  // A repeated id has no details in this turn.
  const distinct = firstOfEach(wanted);
  const ids = distinct.map(({ id }) => id);
  const known = mapOf(await findCustomers(db, workspaceId, ids));
  const missing = distinct.filter(({ id }) => !known.has(id));
  if (missing.length > 0) {
    await ensuring.beforeInsert();
    const rows = missing.flatMap(({ id }) => auditRows(actionOn(workspaceId, id, 'customer.created')));
    for (const one of await insertMissing(db, workspaceId, missing, rows)) known.set(one.id, one);
  }
  if (ensuring.onlyCreates) return known;
  const changed = distinct.filter((customer) => differs(known.get(customer.id), customer));
  if (changed.length > 0) {
    const after = mapOf(await changeCustomers(db, workspaceId, changed));
    // One of them was deleted meanwhile: it is created again.
    if (changed.some(({ id }) => !after.has(id))) return ensureOnce(db, workspaceId, wanted, ensuring);
    for (const one of after.values()) known.set(one.id, one);
  }
  return known;
}

/** Sets the given details with their rows in the audit log. Returns those of the customers that exist. */
function changeCustomers(
  db: Kysely<Tables>,
  workspaceId: string,
  wanted: readonly EnsuredCustomer[],
): Promise<Customer[]> {
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
    return [...before.values(), ...after];
  });
}

/** Leaves out those with an id of an earlier one. */
function firstOfEach(wanted: readonly EnsuredCustomer[]): EnsuredCustomer[] {
  const ids = new Set<string>();
  return wanted.filter(({ id }) => ids.size < ids.add(id).size);
}

function hasDetails(customer: EnsuredCustomer): boolean {
  return personalColumns.some((column) => typeof customer[column] === 'string');
}

/** Returns whether a customer that exists has other details than the given ones. */
function differs(known: Details | undefined, wanted: EnsuredCustomer): boolean {
  return (
    known !== undefined &&
    personalColumns.some((column) => (wanted[column] ?? known[column]) !== known[column])
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
