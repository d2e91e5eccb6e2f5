import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { callOf } from './request-context.ts';

test('what is asked after a long poll has the time that any call has', () => {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const call = callOf({ requestId: 'r', response, stopping: new AbortController().signal }, 5_000);
  expect(call.poll(25, new AbortController().signal).timeoutMs).toBeGreaterThan(29_000);
  expect(call.rpc().timeoutMs).toBeGreaterThan(29_000);
});
