import type { CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { noDetails, perDetail } from '@parley/contracts/customer-details';
import type { Handlers } from '@parley/rpc/definition';
import { type Answer, current, only } from './answers.ts';
import { known, now } from './known.ts';

// The answers of the customer service.

const customer = {
  id: known.customerId,
  ...noDetails,
  firstName: 'Ada',
  email: 'ada@example.com',
  version: 7,
};
const erasure = {
  id: known.erasureId,
  customerId: known.customerId,
  kind: 'anonymisation',
  requestedAt: now,
  completedAt: null,
  removed: { customers: 1, interactions: 12, events: 3 },
  requestedBy: 'prl_key_test',
};

/** `anonymisationContinues`: whether removals take longer than a call waits. */
export function fakeCustomers(answer: Answer, erasing: { anonymisationContinues: boolean }) {
  return {
    getCustomers: answer('getCustomers', ({ ids }) => ({
      customers: ids.includes(known.customerId) ? [customer] : [],
    })),
    createCustomer: answer('createCustomer', ({ id, idempotency, ...given }) => ({
      customer: { id, ...perDetail((name) => given[name]), version: 1 },
      replayed: idempotency !== null,
    })),
    getCustomer: answer('getCustomer', ({ id }) => only(id === known.customerId, customer)),
    listCustomers: answer('listCustomers', () => ({ customers: [customer], total: 41 })),
    updateCustomer: answer('updateCustomer', ({ id, ifVersion }) =>
      current(only(id === known.customerId, customer), ifVersion),
    ),
    anonymiseCustomer: answer('anonymiseCustomer', () => ({
      erasureId: known.erasureId,
      continues: erasing.anonymisationContinues,
    })),
    deleteCustomer: answer('deleteCustomer', () => ({
      erasureId: known.erasureId,
      continues: erasing.anonymisationContinues,
    })),
    deleteAnonymousCustomers: answer('deleteAnonymousCustomers', () => ({ deleted: 2, hasMore: false })),
    getRetention: answer('getRetention', () => ({ retention: { completedDays: 365 }, version: 1 })),
    updateRetention: answer('updateRetention', ({ ifVersion }) =>
      current({ retention: { completedDays: 365 }, version: 1 }, ifVersion),
    ),
    previewRetention: answer('previewRetention', () => ({ completed: 2, ended: 1, draft: 0 })),
    listErasures: answer('listErasures', () => ({ erasures: [erasure], nextCursor: '' })),
    listErasureKeys: answer('listErasureKeys', () => ({ keys: [{ kid: 'k', x: 'x', createdAt: now }] })),
    getErasure: answer('getErasure', ({ id }) => only(id === known.erasureId, erasure)),
  } satisfies Partial<Handlers<typeof CustomerServiceService>>;
}
