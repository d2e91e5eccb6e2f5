import { afterAll, afterEach, expect } from 'vitest';
import { takeFaults, watchAnswer } from './watch-answers.ts';

// For the end-to-end tests: a test fails if an answer of `fetch` does not match the API's description.

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

const check = (): void =>
  expect(takeFaults(), 'answers that do not match the description of the API').toEqual([]);
afterEach(check);
afterAll(() => {
  check();
  // The next file of this worker wraps it again.
  globalThis.fetch = fetch;
});
