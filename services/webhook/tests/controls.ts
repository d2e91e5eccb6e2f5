import {
  type Delivery,
  DeliveryServiceService,
  type ListDeliveriesRequest,
} from '@parley/contracts/webhook/v1/delivery';
import type { RpcClient } from '@parley/rpc/definition';
import { serve, service } from '@parley/rpc/serve';
import { createComputeQueue } from '@parley/runtime/scheduling/compute-queue';
import { createGrantVerifier } from '@parley/rpc/grants';
import { connectAsCallers, testGrants } from '@parley/testing/peers/callers';
import { quietLogger as logger } from '@parley/testing/quiet';
import { openSqlConnection, type SqlConnection } from '@parley/testing/database/sql';
import { deliveryHandlers } from '../src/controls/delivery-handlers.ts';
import { deliveryRules } from '../src/request-rules.ts';
import { createStore, type Hook, type Store } from './lanes/lanes.ts';

const tokens = { service: 'a service token of a test', operator: 'an operator token of a test' };
export const call = { requestId: 'test', timeoutMs: 30_000 };

/** The service's database with the RPCs of the log and the controls, without delivering and recovering. */
export interface Controls extends Store {
  client: RpcClient<DeliveryServiceService>;
  /** A superuser's connection, in the service's schema. */
  session: SqlConnection;
  /** Webhooks with due deliveries, in the order in which the owner of their lane was notified. */
  notified: string[];
  /** How often the recovery loop was woken. */
  woken: { recovery: number };
}

export async function startControls(): Promise<Controls> {
  await using starting = new AsyncDisposableStack();
  const store = starting.use(await createStore());
  const session = starting.use(await openSqlConnection(store.adminUrl));
  await session.query('set search_path = webhook');
  const notified: string[] = [];
  const woken = { recovery: 0 };
  const unused = async (): Promise<never> => {
    throw new Error('not used by tests of the log and the controls');
  };
  const handlers = {
    ...deliveryHandlers({
      db: store.db,
      compute: createComputeQueue('filter'),
      onDeliveries: (webhookIds) => notified.push(...webhookIds),
      onRecovery: () => (woken.recovery += 1),
    }),
    getWebhookOptions: unused,
    updateWebhookOptions: unused,
  };
  const { address } = starting.use(
    await serve({
      listen: { host: '127.0.0.1', port: 0 },
      services: [service(DeliveryServiceService, handlers, { rules: deliveryRules })],
      tokens,
      grants: createGrantVerifier(testGrants),
      logger,
      isReady: async () => true,
    }),
  );
  const peer = starting.use(connectAsCallers(address, { token: tokens.service }));
  const stack = starting.move();
  return {
    ...store,
    client: peer.client(DeliveryServiceService),
    session,
    notified,
    woken,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Returns how calls name a webhook. */
export const of = ({ workspaceId, id }: Hook) => ({ workspaceId, webhookId: id });

type Wanted = Partial<Omit<ListDeliveriesRequest, 'workspaceId' | 'webhookId' | 'cursor'>>;

/** Returns all deliveries of a list, page by page. */
export async function listAll(
  { client }: Pick<Controls, 'client'>,
  hook: Hook,
  wanted: Wanted = {},
): Promise<Delivery[]> {
  const request = { ...of(hook), states: [], since: null, until: null, limit: 50, ...wanted };
  const all: Delivery[] = [];
  for (let cursor = ''; ; ) {
    const page = await client.listDeliveries({ ...request, cursor }, call);
    all.push(...page.deliveries);
    if (page.nextCursor === '') return all;
    cursor = page.nextCursor;
  }
}

/**
 * Adds deliveries that were finished some time ago, with their events, and the last attempt of each that an attempt has
 * finished. Returns their ids, oldest first.
 */
export async function addFinished(
  session: SqlConnection,
  hook: Hook,
  {
    number,
    state,
    ago = '1 hour',
    attempts = 11,
  }: { number: number; state: string; ago?: string; attempts?: number },
): Promise<string[]> {
  // And of the next day: midnight may be between the two statements.
  await session.query(
    `select make_partition(parent, ((now() - $1::interval) at time zone 'utc')::date + days)
     from unnest(array['finished_delivery', 'attempt']) as parent, generate_series(0, 1) as days`,
    [ago],
  );
  const rows = await session.query<{ id: string }>(
    `with made as (
       insert into event (id, workspace_id, name, about, customer_id, status, data, extra, result,
       received_at)
       select uuidv7(), $1, 'InteractionCompleted', uuidv7()::text, 'c-1', 'Completed', '{}', '{}', '{}',
       now() - $5::interval from generate_series(1, $4) returning id
     )
     insert into finished_delivery
       (id, workspace_id, webhook_id, event_id, state, attempts, is_redacted, created_at, finished_at, started_at,
        duration_ms, status, error, response_excerpt)
     select uuidv7(- $5::interval), $1, $2, id, $3, $6, false, at, at,
       case when is_attempt then at end, case when is_attempt then 5 end, case when is_attempt then 500 end,
       case when is_attempt then 'http_500' end, case when is_attempt then 'dear c-1'::bytea end
     from made, (select now() - $5::interval as at, $3 in ('succeeded', 'failed') as is_attempt) as past
     returning id`,
    [hook.workspaceId, hook.id, state, number, ago, attempts],
  );
  return rows.map((row) => row.id).toSorted();
}
