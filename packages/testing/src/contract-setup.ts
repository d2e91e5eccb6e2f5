import { afterAll, afterEach, expect } from 'vitest';
import { takeFaults, watchAnswer } from './watch-answers.ts';

// For the end-to-end tests: every answer that `fetch` gets from the API is held against the API's description, and the
// test that got a wrong one fails.

const { fetch } = globalThis;

globalThis.fetch = async (input, init) => {
  const response = await fetch(input, init);
  const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
  const { status, headers } = response;
  const { pathname, search } = new URL(response.url);
  const body = await response.clone().text();
  watchAnswer({ method, path: pathname + search, status, headers, body });
  return response;
};

const check = (): void => expect(takeFaults(), 'answers that are not as the API is described').toEqual([]);
afterEach(check);
afterAll(check);
