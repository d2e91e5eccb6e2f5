import { noDetails } from '@parley/contracts/customer-details';
import { type Customer, CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { createGrantVerifier } from '@parley/rpc/grants';
import { serve } from '@parley/rpc/serve';
import { notFound } from '@parley/runtime/errors';
import { grantKeysService, testGrants } from '@parley/testing/peers/callers';
import { partialService } from '@parley/testing/peers/partial-service';
import { quietLogger } from '@parley/testing/quiet';

/**
 * A customer service over gRPC with `people`, which records ensured customers in `ensured`. It delays its reads of a
 * customer until the promise in `keptBack` resolves.
 */
export async function startCustomers(tokens: { service: string; operator: string }) {
  const people = new Map<string, Partial<Customer>>();
  const ensured: string[] = [];
  const keptBack = new Map<string, Promise<void>>();
  const customer = (id: string): Customer => ({
    id,
    ...noDetails,
    version: 1,
    ...people.get(id),
  });
  const customers = partialService(CustomerServiceService, {
    ensureCustomer: async ({ id }) => {
      ensured.push(id);
      if (!people.has(id)) people.set(id, {});
      const read = customer(id);
      await keptBack.get(id);
      return read;
    },
    ensureCustomers: async ({ customers: wanted }) => {
      const all: Customer[] = [];
      for (const { id, ...details } of wanted) {
        ensured.push(id);
        const given = Object.entries(details).filter(([, value]) => typeof value === 'string');
        people.set(id, { ...people.get(id), ...Object.fromEntries(given) });
        all.push(customer(id));
      }
      for (const { id } of wanted) await keptBack.get(id);
      return { unchanged: [], customers: all };
    },
    getCustomer: async ({ id }) => {
      if (!people.has(id)) throw notFound();
      const read = customer(id);
      await keptBack.get(id);
      return read;
    },
  });
  const running = await serve({
    listen: { host: '127.0.0.1', port: 0 },
    services: [customers, grantKeysService()],
    tokens,
    grants: createGrantVerifier(testGrants),
    logger: quietLogger,
    isReady: async () => true,
  });
  return {
    people,
    ensured,
    keptBack,
    address: running.address,
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}
