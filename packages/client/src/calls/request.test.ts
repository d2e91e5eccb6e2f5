import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkBaseUrl, initOf, type Operation, urlOf } from './request.ts';

const workspaceId = '019aa5d8-3c5e-7b21-9f0a-5d1c2e3f4a5b';
const base = 'https://api.example/parley';
const get = (path: string): Operation => ({ method: 'GET', path });
const getCustomer = get('/v1/workspaces/{workspaceId}/customers/{customerId}');

test.each(['', '/', '127.0.0.1:3000', 'localhost:3000', 'api.example.com', 'ftp://x.example', 'http://'])(
  '%j is not a base URL',
  (baseUrl) => {
    expect(() => checkBaseUrl(baseUrl)).toThrow(TypeError);
  },
);

test.each([
  ['https://api.example.com?x=1', 'query'],
  ['https://api.example.com/?', 'query'],
  ['https://api.example.com/#x', 'fragment'],
  ['https://ada@api.example.com', 'user name'],
  ['https://ada:pa55word@api.example.com', 'user name'],
  ['https://api.example.com ', 'must be an http'],
])('%j has an invalid part of a base URL', (baseUrl, why) => {
  expect(() => checkBaseUrl(baseUrl)).toThrow(TypeError);
  expect(() => checkBaseUrl(baseUrl)).toThrow(why);
  expect(() => checkBaseUrl(baseUrl)).not.toThrow('pa55word');
});

test.each(['http://127.0.0.1:3000', 'HTTPS://api.example.com/parley/', base])(
  '%j is a base URL',
  (baseUrl) => {
    expect(() => checkBaseUrl(baseUrl)).not.toThrow();
  },
);

describe('the URL of a call', () => {
  test('contains any id that the API accepts, and stays below its path', () => {
    const codePoint = fc.oneof(
      fc.integer({ min: 0, max: 0xd7ff }),
      fc.integer({ min: 0xe000, max: 0x10ffff }),
    );
    const unit = codePoint.map((code) => String.fromCodePoint(code));
    const id = fc.string({ unit, minLength: 1 }).filter((text) => !/^\.{1,2}$/.test(text));
    fc.assert(
      fc.property(id, (customerId) => {
        const url = new URL(urlOf(base, getCustomer, { params: { workspaceId, customerId } }));
        const [encoded = '', ...above] = url.pathname.split('/').toReversed();
        expect(decodeURIComponent(encoded)).toBe(customerId);
        expect(above.toReversed().join('/')).toBe(`/parley/v1/workspaces/${workspaceId}/customers`);
        expect([url.search, url.hash]).toEqual(['', '']);
      }),
    );
  });

  test.each(['', '.', '..', 'a\ud800'])(
    'is rejected for the id %j, which no URL can contain',
    (customerId) => {
      const input = { params: { workspaceId, customerId } };
      expect(() => urlOf(base, getCustomer, input)).toThrow(TypeError);
    },
  );

  test('has the given parts of the query, and one slash after the base', () => {
    const input = { params: { workspaceId }, query: { page: 2, status: undefined, customerId: 'a&b=c +' } };
    expect(urlOf(`${base}//`, get('/v1/workspaces/{workspaceId}/interactions'), input)).toBe(
      `${base}/v1/workspaces/${workspaceId}/interactions?page=2&customerId=a%26b%3Dc+%2B`,
    );
    expect(urlOf(base, get('/v1/workspaces'), {})).toBe(`${base}/v1/workspaces`);
  });
});

test('the fields of the credential are among those of a call', () => {
  const { headers } = initOf(get('/v1/workspaces'), {}, { 'x-parley-console': '1' });
  expect(Object.fromEntries(new Headers(headers))).toEqual({
    accept: 'application/json',
    'x-parley-console': '1',
  });
});
