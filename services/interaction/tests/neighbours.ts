import { type Customer, CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { WebhookServiceService } from '@parley/contracts/webhook/v1/webhook';
import { serve } from '@parley/rpc/serve';
import { notFound } from '@parley/runtime/errors';
import { partialService } from '@parley/testing/partial-service';
import { quietLogger } from '@parley/testing/quiet';

/**
 * A gRPC peer instead of both neighbours: a customer service with `people`, which records ensured customers in
 * `ensured`, and a webhook service with the events of the ids in `held`. It delays its reads of a customer until the
 * promise in `keptBack` resolves.
 */
export async function startNeighbours(tokens: { service: string; operator: string }) {
  const people = new Map<string, Partial<Customer>>();
  const ensured: string[] = [];
  const held = new Set<string>();
  const keptBack = new Map<string, Promise<void>>();
  const customer = (id: string): Customer => ({
    id,
    firstName: '',
    lastName: '',
    email: '',
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
    getCustomer: async ({ id }) => {
      if (!people.has(id)) throw notFound();
      const read = customer(id);
      await keptBack.get(id);
      return read;
    },
  });
  const webhooks = partialService(WebhookServiceService, {
    listMissingEvents: async ({ eventIds }) => ({ eventIds: eventIds.filter((id) => !held.has(id)) }),
  });
  const running = await serve({
    listen: { host: '127.0.0.1', port: 0 },
    services: [customers, webhooks],
    tokens,
    logger: quietLogger,
    isReady: async () => true,
  });
  return {
    people,
    ensured,
    held,
    keptBack,
    address: running.address,
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}
