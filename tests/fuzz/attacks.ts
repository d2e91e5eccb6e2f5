import { type Attack, get, lines, post, refused } from './attack.ts';
import { smuggling } from './smuggling.ts';

/** Invalid requests, and requests that could count as several. */
const malformed: Attack[] = [
  { name: 'bytes of TLS', pieces: () => [Buffer.from('16030100c8010000c403', 'hex')], ...refused },
  { name: 'the preface of HTTP/2', pieces: () => ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'], ...refused },
  { name: 'no version', pieces: () => ['GET /healthz\r\n\r\n'], ...refused },
  { name: 'HTTP/9.9', pieces: (to) => [`GET /healthz HTTP/9.9\r\nHost: ${to.host}\r\n\r\n`], ...refused },
  { name: 'no Host', pieces: () => ['GET /healthz HTTP/1.1\r\n\r\n'], ...refused },
  {
    name: 'two Hosts',
    pieces: (to) => [lines('GET /healthz HTTP/1.1', `Host: ${to.host}`, 'Host: evil.example')],
    ...refused,
  },
  {
    name: 'an invalid method',
    pieces: (to) => [`G@T /healthz HTTP/1.1\r\nHost: ${to.host}\r\n\r\n`],
    ...refused,
  },
  {
    name: 'a path with a space',
    pieces: (to) => [`GET /health z HTTP/1.1\r\nHost: ${to.host}\r\n\r\n`],
    ...refused,
  },
  {
    name: 'a path of 20 KB',
    pieces: (to) => [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: ${to.host}\r\n\r\n`],
    statuses: [[431]],
    closes: true,
  },
  {
    name: 'a field of 20 KB',
    pieces: (to) => [get(to, `X-A: ${'x'.repeat(20_000)}`)],
    statuses: [[431]],
    closes: true,
  },
  {
    name: 'five thousand fields',
    pieces: (to) => [get(to, ...Array.from({ length: 5_000 }, (_, index) => `X-${index}: y`))],
    statuses: [[431]],
    closes: true,
  },
  {
    name: 'a thousand fields that are small',
    pieces: (to) => [get(to, ...Array.from({ length: 1_000 }, () => 'a:'))],
    statuses: [[200, 431]],
    closes: false,
  },
  {
    name: 'a path with invalid percent-encoding',
    pieces: (to) => [get(to).replace('/customers ', '/customers/%zz ')],
    statuses: [[400]],
    closes: false,
  },
  {
    name: 'a path in overlong UTF-8',
    pieces: (to) => [get(to).replace('/customers ', '/customers/%c0%af ')],
    statuses: [[400]],
    closes: false,
  },
  {
    name: 'a path in raw UTF-8',
    pieces: (to) => [get(to).replace('/customers ', '/customers/é ')],
    statuses: [[400, 404]],
    closes: false,
  },
  {
    name: 'CONNECT',
    pieces: (to) => [`CONNECT ${to.host} HTTP/1.1\r\nHost: ${to.host}\r\n\r\n`],
    statuses: [],
    closes: true,
  },
  {
    name: 'TRACE',
    pieces: (to) => [get(to).replace('GET', 'TRACE')],
    statuses: [[405]],
    closes: false,
  },
  {
    name: 'OPTIONS *',
    pieces: (to) => [`OPTIONS * HTTP/1.1\r\nHost: ${to.host}\r\n\r\n`],
    statuses: [[404]],
    closes: false,
  },
  {
    name: 'the absolute form',
    pieces: (to) => [get(to).replace('GET ', `GET http://${to.host}`)],
    statuses: [[200]],
    closes: false,
  },
  {
    name: 'the absolute form for another host',
    pieces: (to) => [get(to).replace('GET ', 'GET http://evil.example')],
    statuses: [[200, 400, 404]],
    closes: false,
  },
  {
    name: 'HTTP/1.0',
    pieces: (to) => [get(to).replace('HTTP/1.1', 'HTTP/1.0')],
    statuses: [[200]],
    closes: true,
  },
  {
    name: 'an upgrade to another protocol',
    pieces: (to) => [
      get(to, 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'),
    ],
    statuses: [[200]],
    closes: false,
  },
  {
    name: 'an unknown expectation',
    pieces: (to) => [get(to, 'Expect: everything')],
    statuses: [[200]],
    closes: false,
  },
  {
    name: 'a body with 100-continue that is too large',
    pieces: (to) => [post(to, 'Expect: 100-continue', 'Content-Length: 10000000')],
    statuses: [[413]],
    closes: false,
  },
  {
    name: 'ten pipelined calls',
    pieces: (to) => [get(to).repeat(10)],
    statuses: Array.from({ length: 10 }, () => [200]),
    closes: false,
  },
  {
    name: 'blank lines before a call',
    pieces: (to) => [`\r\n\r\n\r\n${get(to)}`],
    statuses: [[200]],
    closes: false,
  },
  {
    name: 'a call in single bytes',
    pieces: (to) => Array.from(get(to)),
    statuses: [[200]],
    closes: false,
  },
  {
    name: 'a body of 10 MB',
    pieces: (to) => [post(to, 'Content-Length: 10000000'), Buffer.alloc(10_000_000, ' ')],
    statuses: [[413]],
    closes: false,
  },
  {
    name: 'a body of 10 MB in chunks',
    pieces: (to) => [
      post(to, 'Transfer-Encoding: chunked'),
      ...Array.from({ length: 160 }, () => `10000\r\n${' '.repeat(65_536)}\r\n`),
      '0\r\n\r\n',
    ],
    statuses: [[413]],
    closes: false,
  },
  {
    name: 'a call and then other bytes: the call is answered first, or nothing is',
    pieces: (to) => [`${get(to)}\0\0\0\0\r\n\r\n`],
    statuses: [[200, 0]],
    closes: true,
  },
];

/** All attacks whose outcome is known. */
export const attacks: readonly Attack[] = [...smuggling, ...malformed];
