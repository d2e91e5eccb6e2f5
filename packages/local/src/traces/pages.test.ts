import { expect, test } from 'vitest';
import { listPage } from './pages.ts';

test('a list without traces says why', () => {
  expect(listPage([], { id: undefined, withPolls: false })).toContain('Call the API or talk to a bot');
  const found = listPage([], { id: 'an-unknown-id', withPolls: false });
  expect(found).toContain('0 traces with the id <code>an-unknown-id</code>');
  expect(found).toContain('only the newest are kept in memory');
  expect(found).not.toContain('Nothing yet');
});
