import type { CallOptions } from '@parley/rpc/definition';
import type { z } from 'zod';
import { continuationOf, listTimeoutMs, longListDescription } from '../../http/answer/long-list.ts';
import { inWorkspace, type KeyCall, type Route, route } from '../../http/server/route.ts';
import { customerExport, toExportedDelivery, toProfile, toRecord } from './present-export.ts';
import { readerOfInteractions } from '../interactions/reader.ts';
import type { RouteDeps } from '../../route-deps.ts';
import { customerId } from '../../values/text.ts';
import { toTimestamp } from '../../values/timestamp.ts';

interface Subject {
  workspaceId: string;
  customerId: string;
}

function loadersOf(subject: Subject, { reader: caller, isHead }: KeyCall, deps: RouteDeps) {
  const { interactions, deliveries } = deps;
  return {
    loadInteractions: async (after: string | undefined, rpc: () => CallOptions) => {
      const exported = await interactions.exportCustomer({ ...subject, after, showsNone: isHead }, rpc());
      const { interactions: records, ...part } = exported;
      const rows = records.map(({ interaction }) => interaction);
      const reader = await readerOfInteractions(caller, subject.workspaceId, rows, rpc, deps);
      return { rows: records.map((record) => toRecord(record, reader)), ...part };
    },
    loadDeliveries: async (after: string | undefined, rpc: () => CallOptions) => {
      const { deliveries: rows, ...part } = await deliveries.listCustomerDeliveries(
        { ...subject, after },
        rpc(),
      );
      return { rows, ...part };
    },
  };
}

const exportCustomer = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/customers/{customerId}/export',
  access: 'key',
  scope: 'customers:read',
  operationId: 'exportCustomer',
  clientMethod: 'customers.export',
  tag: 'Customers',
  summary: 'Export everything that is stored about a customer',
  description: `The answer to a request for access by the person (GDPR, article 15): profile, interactions with
transcripts, links without their URLs, and deliveries to webhooks. It has no secret and nothing about others. The ETag
covers everything but \`exportedAt\`. ${longListDescription}`,
  params: inWorkspace.extend({ customerId }),
  data: customerExport,
  timeoutMs: listTimeoutMs,
  handle: async ({ params: { workspaceId, customerId: id } }, call, deps) => {
    const { customers, lists } = deps;
    const customer = await customers.getCustomer({ workspaceId, id }, call.rpc());
    const { loadInteractions, loadDeliveries } = loadersOf({ workspaceId, customerId: id }, call, deps);
    // Exports are rare and read everything, so they do not ask for a short list first.
    const [interactions, deliveries] = await lists.next(() =>
      Promise.all([loadInteractions(undefined, call.rpc), loadDeliveries(undefined, call.rpc)]),
    );
    const rest = continuationOf(deliveries, toExportedDelivery, loadDeliveries)?.loadNext;
    const items = deliveries.rows.map(toExportedDelivery);
    const beginDeliveries = async () => ({ member: 'deliveries', items, loadNext: rest });
    const data = {
      schemaVersion: 1,
      exportedAt: toTimestamp(new Date()),
      customer: toProfile(customer, call.reader),
      interactions: interactions.rows,
    } as z.input<typeof customerExport>;
    const tagged = JSON.stringify([data.customer, interactions.digest, deliveries.digest]);
    return {
      data,
      tagged,
      continuation: continuationOf(interactions, (record) => record, loadInteractions, beginDeliveries),
    };
  },
});

export const customerExportRoutes: Route[] = [exportCustomer];
