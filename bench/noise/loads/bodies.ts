import type { Attack, Load } from '../attack.ts';
import type { HttpCall } from '../http.ts';

/** Below the limit of bodies under a key. */
const bodyBytes = 255_000;
const perSecond = 8;

const repeat = (text: string, bytes: number): string => text.repeat(Math.floor(bytes / text.length));
const list = (item: string, bytes: number): string => `[${repeat(`${item},`, bytes - 10)}${item}]`;

/** Members with different short names. */
function members(count: number): string {
  return Array.from({ length: count }, (_, number) => `"${(number + 1_296).toString(36)}":1`).join(',');
}

const unknownKeys = `{"customerId":"a","context":[{${members(32_000)}}]}`;
const unknownFields = `{"id":"a",${members(32_000)}}`;
const repeatedNames = `{"id":"a",${repeat('"b":1,', bodyBytes - 20)}"b":1}`;
const nested = list(`${'['.repeat(60)}${']'.repeat(60)}`, bodyBytes - 100);
const smallValues = list('1', bodyBytes - 100);
const faultyEntries = list('{"key":1}', bodyBytes - 100);
const escapes = repeat(String.raw`\u00e9`, bodyBytes - 100);
const endless = `{"id":"a","firstName":${list('{}', bodyBytes - 100)}`;
const headerFields = `{"headers":{${members(32_000)}}}`;
const publicKeys = `{"customerToken":"a",${members(1_900)}}`;

/** Bodies that cost much to read, to check or to refuse. */
export const bodyLoads: readonly Load[] = [
  bodies('unknown-keys', '32,000 unknown keys below a key', (attack) =>
    posted(attack, 'interactions', unknownKeys),
  ),
  bodies('unknown-fields', '32,000 unknown fields', (attack) => posted(attack, 'customers', unknownFields)),
  bodies('repeated-names', 'one name 42,000 times', (attack) => posted(attack, 'customers', repeatedNames)),
  bodies('nested-lists', 'lists in lists', (attack) =>
    posted(attack, 'interactions', `{"customerId":"a","context":${nested}}`),
  ),
  bodies('small-values', '127,000 numbers in a list', (attack) =>
    posted(attack, 'customers', `{"id":"a","firstName":${smallValues}}`),
  ),
  bodies('faulty-entries', '25,000 faulty entries of a list', (attack) =>
    posted(attack, 'interactions', `{"customerId":"a","context":${faultyEntries}}`),
  ),
  bodies('escapes', 'a string of 42,000 escapes', (attack) =>
    posted(attack, 'customers', `{"id":"a","firstName":"${escapes}"}`),
  ),
  bodies('invalid-at-end', 'JSON that lacks its last character', (attack) =>
    posted(attack, 'customers', endless),
  ),
  bodies('header-fields', '32,000 header fields for a webhook', (attack) => ({
    method: 'PATCH',
    path: `${attack.base}/webhooks/${attack.attacker.webhookId}/options`,
    body: headerFields,
  })),
  bodies('bot-keys', '32,000 keys as a bot', (attack) => posted(attack, 'bots', unknownFields)),
  {
    name: 'ignored-bodies',
    does: '50 bodies of 255 KB per second to calls that take none',
    run: ({ every, call, base, attacker }) =>
      every(50, (number) =>
        number % 2 === 0
          ? call({ method: 'GET', path: `${base}/customers/customer-1`, body: unknownFields })
          : call({
              method: 'POST',
              path: `${base}/webhooks/${attacker.webhookId}/test`,
              body: unknownFields,
            }),
      ),
  },
  {
    name: 'public-bodies',
    does: '150 bodies of 16 KB with unknown keys per second, without credentials',
    run: ({ every, call, visible }) =>
      every(150, (number) =>
        call({
          method: 'POST',
          path: number % 2 === 0 ? `${visible}/sessions` : '/public/v1/link-sessions',
          headers: { Authorization: '' },
          body: publicKeys,
        }),
      ),
  },
  {
    name: 'public-large-bodies',
    does: '40 bodies of 255 KB per second, without credentials and announced length',
    run: ({ every, call, visible }) =>
      every(40, () =>
        call({
          method: 'POST',
          path: `${visible}/sessions`,
          headers: { Authorization: '', 'Transfer-Encoding': 'chunked' },
          body: unknownFields,
        }),
      ),
  },
  {
    name: 'long-queries',
    does: '150 requests per second with 15 KB of query and header fields',
    run: ({ every, call, base }) => {
      const query = repeat('a=%41&', 7_000);
      const cookies = repeat('a=b; ', 7_000);
      return every(150, () =>
        call({ method: 'GET', path: `${base}/customers?${query}`, headers: { Cookie: cookies } }),
      );
    },
  },
];

function bodies(name: string, what: string, request: (attack: Attack) => HttpCall): Load {
  return {
    name,
    does: `${perSecond} bodies of 255 KB per second: ${what}`,
    run: (attack) => attack.every(perSecond, () => attack.call(request(attack))),
  };
}

function posted({ base }: Attack, path: string, body: string): HttpCall {
  return { method: 'POST', path: `${base}/${path}`, body };
}
