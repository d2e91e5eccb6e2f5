import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { callOf } from './request-context.ts';

test('a long poll leaves two seconds of its request for another call', () => {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const call = callOf({ requestId: 'r', response, stopping: new AbortController().signal }, 5_000);
  const { timeoutMs = 0 } = call.poll(25, new AbortController().signal);
  expect(timeoutMs).toBeGreaterThan(27_000);
  expect((call.rpc().timeoutMs ?? 0) - timeoutMs).toBeGreaterThan(1_000);
});
