import {
  Customer,
  type CustomerServiceService,
  type ListCustomersRequest,
  type ListCustomersResponse,
  type UpdateCustomerRequest,
} from '@parley/contracts/customer/v1/customer';
import { customerLimits } from '@parley/contracts/limits';
import { idempotent } from '@parley/postgres/idempotency';
import { limits } from '@parley/postgres/sql/page';
import { inTransaction } from '@parley/postgres/connecting/transaction';
import type { InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import type { Handlers, RpcClient } from '@parley/rpc/definition';
import { idPositions, readPage } from '@parley/runtime/cursor';
import { requireExisting, requireUnchanged } from '@parley/runtime/errors';
import { uuidOrUndefined } from '@parley/runtime/telemetry/span-ids';
import {
  anonymise,
  type Anonymisers,
  deleteAnonymousCustomers,
  deleteCustomer,
} from '../erasure/anonymise.ts';
import { auditCustomer, changedDetails } from '../auditing.ts';
import { ensureCustomers } from './ensuring.ts';
import { listKeys } from '../erasure/erasure-key-store.ts';
import { findErasure, listErasures } from '../erasure/erasure-store.ts';
import { changedDays, loadRetention, saveRetention } from '../retention/retention-store.ts';
import { countFound, searchCustomers } from './search.ts';
import {
  countCustomers,
  findCustomer,
  findCustomers,
  insertCustomer,
  listCustomers,
  lockCustomer,
  updateCustomer,
} from './store.ts';
import type { CheckWorkspace } from './workspaces.ts';

interface Dependencies extends Anonymisers {
  checkWorkspace: CheckWorkspace;
  interactions: Pick<RpcClient<InteractionServiceService>, 'countOutdated'>;
  wakeSweep: () => void;
}

export function customerHandlers(dependencies: Dependencies): Handlers<CustomerServiceService> {
  const { db, checkWorkspace } = dependencies;
  return {
    createCustomer: async ({ workspaceId, idempotency, ...customer }, { requestId }) => {
      await checkWorkspace(workspaceId, requestId);
      const { message, replayed } = await idempotent(db, {
        key: idempotency,
        workspaceId,
        subject: customer.id,
        codec: Customer,
        effect: (work) => inTransaction(work, (trx) => addCustomer(trx, workspaceId, customer)),
      });
      return { customer: message, replayed };
    },

    ensureCustomer: async ({ workspaceId, id }, { requestId }) => {
      const known = await findCustomer(db, workspaceId, id);
      if (known) return known;
      const beforeInsert = (): Promise<void> => checkWorkspace(workspaceId, requestId);
      const { customers } = await ensureCustomers(db, workspaceId, [{ id }], { beforeInsert });
      return requireExisting(customers[0]);
    },

    ensureCustomers: ({ workspaceId, customers, onlyCreates }, { requestId }) => {
      const beforeInsert = (): Promise<void> => checkWorkspace(workspaceId, requestId);
      return ensureCustomers(db, workspaceId, customers, { onlyCreates: onlyCreates ?? false, beforeInsert });
    },

    getCustomer: async ({ workspaceId, id }) => requireExisting(await findCustomer(db, workspaceId, id)),

    getCustomers: async ({ workspaceId, ids }) => ({
      customers: await findCustomers(db, workspaceId, ids.slice(0, customerLimits.idsMax)),
    }),

    listCustomers: (request) => customersOf(db, request),

    updateCustomer: (request) => changeCustomer(db, request),

    anonymiseCustomer: (request, { signal }) => anonymise(dependencies, request, signal),

    deleteCustomer: (request, { signal }) => deleteCustomer(dependencies, request, signal),

    deleteAnonymousCustomers: (request) => deleteAnonymousCustomers(dependencies, request),

    ...erasureHandlers(dependencies),

    ...retentionHandlers(dependencies),
  };
}

function erasureHandlers({ db }: Dependencies) {
  return {
    getErasure: async ({ workspaceId, id }) => {
      const erasureId = uuidOrUndefined(id);
      return requireExisting(erasureId ? await findErasure(db, workspaceId, erasureId) : undefined);
    },

    listErasures: async ({ workspaceId, customerId = null, ...page }) => {
      const { rows: erasures, nextCursor } = await readPage(idPositions, page, (after, limit) =>
        listErasures(db, { workspaceId, customerId, before: after?.id ?? null }, limit),
      );
      return { erasures, nextCursor };
    },

    listErasureKeys: async () => ({ keys: await listKeys(db) }),
  } satisfies Partial<Handlers<CustomerServiceService>>;
}

function retentionHandlers({ db, checkWorkspace, interactions, wakeSweep }: Dependencies) {
  return {
    getRetention: ({ workspaceId }) => loadRetention(db, workspaceId),

    updateRetention: async ({ workspaceId, change, ifVersion = null }, { requestId }) => {
      await checkWorkspace(workspaceId, requestId);
      const saved = await saveRetention(db, workspaceId, change ?? {}, ifVersion);
      wakeSweep();
      return saved;
    },

    previewRetention: async ({ workspaceId, change }, { requestId }) => {
      const { retention } = await loadRetention(db, workspaceId);
      const after = changedDays(retention ?? {}, change ?? {});
      return interactions.countOutdated({ workspaceId, retention: after }, { requestId });
    },
  } satisfies Partial<Handlers<CustomerServiceService>>;
}

async function customersOf(
  db: Dependencies['db'],
  { workspaceId, page, beginning }: ListCustomersRequest,
): Promise<ListCustomersResponse> {
  if (typeof beginning === 'string') {
    const total = await countFound(db, workspaceId, beginning);
    return { customers: await searchCustomers(db, workspaceId, beginning, limits(page)), total };
  }
  const total = await countCustomers(db, workspaceId);
  return { customers: await listCustomers(db, workspaceId, limits(page), total), total };
}

async function addCustomer(
  trx: Dependencies['db'],
  workspaceId: string,
  customer: Omit<Customer, 'version'>,
): Promise<Customer> {
  const made = await insertCustomer(trx, workspaceId, customer);
  await auditCustomer(trx, workspaceId, made.id, 'customer.created');
  return made;
}

async function changeCustomer(
  db: Dependencies['db'],
  { workspaceId, id, ifVersion, ...given }: UpdateCustomerRequest,
): Promise<Customer> {
  return db.transaction().execute(async (trx) => {
    const before = requireExisting(await lockCustomer(trx, workspaceId, id));
    requireUnchanged(before.version, ifVersion);
    const customer = await updateCustomer(trx, workspaceId, id, given);
    await auditCustomer(trx, workspaceId, id, 'customer.updated', changedDetails(before, customer));
    return customer;
  });
}
