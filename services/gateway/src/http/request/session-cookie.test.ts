import { expect, test } from 'vitest';
import { createConsoleCookies } from './session-cookie.ts';

const { session, portalSession } = createConsoleCookies('https://parley.example');
const name = '__Host-parley-session';

test.each([
  ['alone', `${name}=token`],
  ['before others', `${name}=token; theme=dark`],
  ['behind others, also of characters that no cookie should have', `a=b c; d="e, f"; g; ${name}=token`],
  ['beside that of the portal', `__Host-parley-portal=other; ${name}=token`],
])('the cookie is read %s', (_place, header) => {
  expect(session.read(header)).toBe('token');
});

test('a value keeps its equals signs', () => {
  expect(session.read(`${name}=a=b==`)).toBe('a=b==');
});

const whiteSpace = [
  '\t',
  '\v',
  '\f',
  '\r',
  '\n',
  '\u0085',
  '\u00a0',
  '\u1680',
  '\u2003',
  '\u2028',
  '\u3000',
  '\ufeff',
];

test.each([...whiteSpace, ' ', '\0', '"', ','])(
  'a name with the character %j before or behind it is another name',
  (character) => {
    expect(session.read(`${character}${name}=planted`)).toBeUndefined();
    expect(session.read(`a=b; ${character}${name}=planted`)).toBeUndefined();
    expect(session.read(`a=b; ${name}${character}=planted`)).toBeUndefined();
    expect(session.read(`${character}${name}=planted; ${name}=token`)).toBe('token');
  },
);

test.each([
  ['another case', `${name.toUpperCase()}=planted`],
  ['no value', name],
  ['no space behind the semicolon before it', `a=b;${name}=planted`],
  ['the name behind that of another', `a=${name}=planted`],
  ['a space in its value', `${name}=a b`],
  ['a value in quotation marks', `${name}="planted"`],
  ['the prefix in another case', `__host-parley-session=planted`],
])('a pair with %s is none of the cookie', (_fault, header) => {
  expect(session.read(header)).toBeUndefined();
});

test('a cookie that is given twice is refused, whatever the values', () => {
  const isRefused = { code: 'unauthenticated', message: expect.stringContaining(`${name} twice`) };
  for (const [one, other] of [
    ['a', 'b'],
    ['a', 'a'],
    ['', 'a'],
    ['a', '"b"'],
    ['a b', 'a'],
    ['\u00a0', 'a'],
  ]) {
    const read = (): unknown => session.read(`${name}=${one}; x=y; ${name}=${other}`);
    expect(read).toThrow(expect.objectContaining(isRefused));
  }
  expect(portalSession.read(`${name}=a; ${name}=b`)).toBeUndefined();
});
