/** What is written to a connection, and what is to come of it. */
export interface Attack {
  name: string;
  pieces: (to: Target) => (string | Buffer)[];
  /** The statuses of all answers in their order; a list of lists where either is right. */
  statuses: readonly (readonly number[])[];
  /** Whether the server has to close the connection. */
  closes: boolean;
  methods?: readonly string[];
}

/** Where it is sent, and as whom. */
export interface Target {
  host: string;
  authorization: string;
  /** `/v1/workspaces/<id>` */
  workspace: string;
  /** The id of a customer that must not come to be: whatever makes it was smuggled in. */
  forbidden: string;
}

const lines = (...all: string[]): string => `${all.join('\r\n')}\r\n\r\n`;

/** A plain request with the key. */
export const get = ({ host, authorization, workspace }: Target, ...more: string[]): string =>
  lines(`GET ${workspace}/customers HTTP/1.1`, `Host: ${host}`, `Authorization: ${authorization}`, ...more);

const post = ({ host, authorization, workspace }: Target, ...more: string[]): string =>
  lines(
    `POST ${workspace}/customers HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: ${authorization}`,
    'Content-Type: application/json',
    ...more,
  );

/** The request that is hidden in another one's body. */
function hidden(target: Target): string {
  const body = JSON.stringify({ id: target.forbidden });
  return post(target, `Content-Length: ${body.length}`) + body;
}

const refused = { statuses: [[400]], closes: true } as const;

/** Two readings of one request: the second must not be taken. */
const smuggling: Attack[] = [
  {
    name: 'Content-Length and Transfer-Encoding',
    pieces: (to) => [post(to, 'Content-Length: 4', 'Transfer-Encoding: chunked'), '0\r\n\r\n', hidden(to)],
    ...refused,
  },
  {
    name: 'Transfer-Encoding and Content-Length',
    pieces: (to) => [post(to, 'Transfer-Encoding: chunked', 'Content-Length: 4'), '0\r\n\r\n', hidden(to)],
    ...refused,
  },
  {
    name: 'two lengths',
    pieces: (to) => [post(to, 'Content-Length: 0', `Content-Length: ${hidden(to).length}`), hidden(to)],
    ...refused,
  },
  { name: 'a list of lengths', pieces: (to) => [post(to, 'Content-Length: 0, 0'), hidden(to)], ...refused },
  { name: 'a length with a sign', pieces: (to) => [post(to, 'Content-Length: +0'), hidden(to)], ...refused },
  { name: 'a length below zero', pieces: (to) => [post(to, 'Content-Length: -1'), hidden(to)], ...refused },
  { name: 'a length in base 16', pieces: (to) => [post(to, 'Content-Length: 0x0'), hidden(to)], ...refused },
  {
    name: 'a length beyond all numbers',
    pieces: (to) => [post(to, 'Content-Length: 99999999999999999999999999'), hidden(to)],
    ...refused,
  },
  {
    name: 'a transfer coding that is not the last',
    pieces: (to) => [post(to, 'Transfer-Encoding: chunked, identity'), '0\r\n\r\n', hidden(to)],
    ...refused,
  },
  {
    name: 'a transfer coding that nobody knows',
    pieces: (to) => [post(to, 'Transfer-Encoding: xchunked'), '0\r\n\r\n', hidden(to)],
    ...refused,
  },
  {
    name: 'a field name with a space behind it',
    pieces: (to) => [post(to, 'Transfer-Encoding : chunked', 'Content-Length: 0'), hidden(to)],
    ...refused,
  },
  {
    name: 'a folded field',
    pieces: (to) => [post(to, 'Transfer-Encoding:', ' chunked', 'Content-Length: 0'), hidden(to)],
    ...refused,
  },
  {
    name: 'lines that end in a bare LF',
    pieces: (to) => [post(to, 'Transfer-Encoding: chunked').replaceAll('\r\n', '\n'), '0\n\n', hidden(to)],
    ...refused,
  },
  {
    name: 'a bare CR in a field',
    pieces: (to) => [post(to, 'X-A: b\rTransfer-Encoding: chunked', 'Content-Length: 0'), hidden(to)],
    ...refused,
  },
  {
    name: 'NUL in a field',
    pieces: (to) => [post(to, 'X-A: b\0c', 'Content-Length: 0'), hidden(to)],
    ...refused,
  },
  {
    name: 'a chunk with a size that is none',
    pieces: (to) => [post(to, 'Transfer-Encoding: chunked'), '0x2\r\n{}\r\n0\r\n\r\n', hidden(to)],
    ...refused,
  },
  {
    name: 'a chunk that is longer than it says',
    pieces: (to) => [post(to, 'Transfer-Encoding: chunked'), '1\r\n{}\r\n0\r\n\r\n', hidden(to)],
    ...refused,
  },
  {
    name: 'a chunk of more bytes than there are',
    pieces: (to) => [post(to, 'Transfer-Encoding: chunked'), 'ffffffffffffffffff\r\n{}', hidden(to)],
    ...refused,
  },
  {
    name: 'a chunk extension without end',
    pieces: (to) => [
      post(to, 'Transfer-Encoding: chunked'),
      `2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
      hidden(to),
    ],
    ...refused,
  },
  {
    name: 'the body of a GET',
    pieces: (to) => [get(to, `Content-Length: ${hidden(to).length}`), hidden(to)],
    statuses: [[200]],
    closes: false,
  },
  {
    name: 'a body where the route takes none',
    pieces: (to) => [
      post(to, `Content-Length: ${hidden(to).length}`).replace('/customers ', '/customers/c/token '),
      hidden(to),
    ],
    statuses: [[200]],
    closes: false,
  },
  {
    name: 'a body behind a refusal that comes before it',
    pieces: (to) => [post(to, 'Accept: text/html', `Content-Length: ${hidden(to).length}`), hidden(to)],
    statuses: [[406]],
    closes: false,
  },
  {
    name: 'fields that are sent behind the body',
    pieces: (to) => [
      post(to, 'Transfer-Encoding: chunked', 'Trailer: Authorization').replace(/Authorization: .*\r\n/, ''),
      `2\r\n{}\r\n0\r\nAuthorization: ${to.authorization}\r\n\r\n`,
    ],
    statuses: [[401]],
    closes: false,
  },
];

/** What is no request, or more than one should be. */
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
    name: 'a method of no name',
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
    name: 'a path that is no percent-encoding',
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
    name: 'a wish for another protocol',
    pieces: (to) => [
      get(to, 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'),
    ],
    statuses: [[200]],
    closes: false,
  },
  {
    name: 'an expectation that nobody knows',
    pieces: (to) => [get(to, 'Expect: everything')],
    statuses: [[200]],
    closes: false,
  },
  {
    name: 'a body that is waited for with 100-continue and is too large',
    pieces: (to) => [post(to, 'Expect: 100-continue', 'Content-Length: 10000000')],
    statuses: [[413]],
    closes: false,
  },
  {
    name: 'ten calls at once',
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
    name: 'a call and then something else: the call is answered first, or nothing is',
    pieces: (to) => [`${get(to)}\0\0\0\0\r\n\r\n`],
    statuses: [[200, 0]],
    closes: true,
  },
];

export const attacks: readonly Attack[] = [...smuggling, ...malformed];
