import { basic } from '@parley/testing/api';
import type { ApiDocument } from '@parley/testing/contract';
import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/receiver';
import { expect, test } from 'vitest';
import { operationsOf } from '../operations.ts';
import type { Observed } from './system.ts';

/** Tests of the examples of the API's description, with the demo workspace, which no other test here may change. */
export function exampleTests(observed: () => Observed): void {
  test('every example with an API key works in a local run unchanged, in the order of the page', async () => {
    const { baseUrl, apiKey, apiSecret } = observed().system.local();
    const description = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as ApiDocument;
    const underKey = operationsOf(description).filter(({ security }) => security.some((one) => 'key' in one));
    expect(underKey.length).toBeGreaterThan(20);
    // Deliveries need an active webhook first, and readers must create the objects of an example first.
    const makes: Record<string, string> = {
      createWebhook: 'webhookId',
      updateWebhook: '',
      sendTestEvent: 'deliveryId',
      recoverDeliveries: 'recoveryId',
    };
    const made = new Map<string, string>();
    await using receiver = await startReceiver();
    const send = async ({
      operationId,
      path,
      method,
      parameters,
      requestBody,
    }: (typeof underKey)[number]) => {
      const examples = new Map([
        ...parameters.map(({ name = '', example }): [string, string] => [name, String(example)]),
        ...made,
      ]);
      const example = requestBody?.content['application/json'].example;
      const isWebhook = operationId === 'createWebhook';
      const body = example && JSON.stringify(isWebhook ? { ...example, url: receiver.url } : example);
      const answer = await fetch(
        baseUrl + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => examples.get(name) ?? ''),
        {
          method,
          headers: {
            authorization: basic(apiKey, apiSecret),
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          ...(body !== undefined && { body }),
        },
      );
      return { status: answer.status, body: (await answer.json()) as { data: { id?: string } | null } };
    };
    // This one comes first, and those that leave nothing to call last: a customer without details, a revoked key.
    const order = [...Object.keys(makes), '', 'anonymiseCustomer', 'deleteWebhook', 'rotateApiKeySecret'];
    const rank = (id: string): number => order.indexOf(order.includes(id) ? id : '');
    for (const operation of underKey.toSorted((a, b) => rank(a.operationId) - rank(b.operationId))) {
      const { operationId } = operation;
      const succeed = async () => {
        const { status, body } = await send(operation);
        expect(status, `${operationId} ${JSON.stringify(body)}`).toBe(200);
        return body;
      };
      // A delivery in flight cannot be retried.
      const body = await (operationId === 'retryDelivery' ? eventually(succeed) : succeed());
      if (makes[operationId]) made.set(makes[operationId], body.data?.id ?? '');
    }
  });
}
