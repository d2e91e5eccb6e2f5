import { type Attack, get, post, refused, type Target } from './attack.ts';

/** The request inside another one's body. */
function hidden(target: Target): string {
  const body = JSON.stringify({ id: target.forbidden });
  return post(target, `Content-Length: ${body.length}`) + body;
}

/** Requests with two interpretations; the second must not happen. */
export const smuggling: Attack[] = [
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
    name: 'a length that is too large',
    pieces: (to) => [post(to, 'Content-Length: 99999999999999999999999999'), hidden(to)],
    ...refused,
  },
  {
    name: 'a transfer coding that is not the last',
    pieces: (to) => [post(to, 'Transfer-Encoding: chunked, identity'), '0\r\n\r\n', hidden(to)],
    ...refused,
  },
  {
    name: 'an unknown transfer coding',
    pieces: (to) => [post(to, 'Transfer-Encoding: xchunked'), '0\r\n\r\n', hidden(to)],
    ...refused,
  },
  {
    name: 'a field name with a trailing space',
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
    name: 'a chunk with an invalid size',
    pieces: (to) => [post(to, 'Transfer-Encoding: chunked'), '0x2\r\n{}\r\n0\r\n\r\n', hidden(to)],
    ...refused,
  },
  {
    name: 'a chunk that is longer than its size',
    pieces: (to) => [post(to, 'Transfer-Encoding: chunked'), '1\r\n{}\r\n0\r\n\r\n', hidden(to)],
    ...refused,
  },
  {
    name: 'a chunk that is shorter than its size',
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
    name: 'a body for a route without one',
    pieces: (to) => [
      post(to, `Content-Length: ${hidden(to).length}`).replace('/customers ', '/customers/c/token '),
      hidden(to),
    ],
    statuses: [[400]],
    closes: false,
  },
  {
    name: 'a body after an early rejection',
    pieces: (to) => [post(to, 'Accept: text/html', `Content-Length: ${hidden(to).length}`), hidden(to)],
    statuses: [[406]],
    closes: false,
  },
  {
    name: 'trailer fields',
    pieces: (to) => [
      post(to, 'Transfer-Encoding: chunked', 'Trailer: Authorization').replace(/Authorization: .*\r\n/, ''),
      `2\r\n{}\r\n0\r\nAuthorization: ${to.authorization}\r\n\r\n`,
    ],
    statuses: [[401]],
    closes: false,
  },
];
