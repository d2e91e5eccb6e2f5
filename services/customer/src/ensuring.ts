import type { Customer, EnsuredCustomer } from '@parley/contracts/customer/v1/customer';
import type { Kysely } from 'kysely';
import { type Details, personalColumns, type Tables } from './schema.ts';
import { findCustomers, insertMissing, updateCustomers } from './store.ts';

/**
 * Returns one customer for each wanted one, in order, as it is after its turn: creates those that are missing, and sets
 * the given details. A wanted id that repeats with details has its turn after the earlier ones. Each turn takes at most
 * three statements. `beforeInsert` runs before the first one that creates.
 */
export async function ensureCustomers(
  db: Kysely<Tables>,
  workspaceId: string,
  wanted: readonly EnsuredCustomer[],
  beforeInsert: () => Promise<void>,
): Promise<Customer[]> {
  const customers: Customer[] = [];
  for (const turn of turnsOf(wanted)) {
    const byId = await ensureOnce(db, workspaceId, turn, beforeInsert);
    for (const { id } of turn) customers.push(existingIn(byId, id));
  }
  return customers;
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
  beforeInsert: () => Promise<void>,
): Promise<Map<string, Customer>> {
  const ids = [...new Set(wanted.map(({ id }) => id))];
  const known = mapOf(await findCustomers(db, workspaceId, ids));
  const missing = ids.filter((id) => !known.has(id));
  if (missing.length > 0) {
    await beforeInsert();
    for (const customer of await insertMissing(db, workspaceId, missing)) known.set(customer.id, customer);
  }
  const changed = wanted.filter((customer) => differs(existingIn(known, customer.id), customer));
  if (changed.length > 0) {
    for (const customer of await updateCustomers(db, workspaceId, changed)) known.set(customer.id, customer);
  }
  return known;
}

function hasDetails(customer: EnsuredCustomer): boolean {
  return personalColumns.some((column) => typeof customer[column] === 'string');
}

function differs(known: Details, wanted: EnsuredCustomer): boolean {
  return personalColumns.some((column) => (wanted[column] ?? known[column]) !== known[column]);
}

function mapOf(customers: readonly Customer[]): Map<string, Customer> {
  return new Map(customers.map((customer) => [customer.id, customer]));
}

function existingIn(customers: ReadonlyMap<string, Customer>, id: string): Customer {
  const customer = customers.get(id);
  if (!customer) throw new Error('a customer was deleted between two statements');
  return customer;
}
