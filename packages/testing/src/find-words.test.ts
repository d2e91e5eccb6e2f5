import { expect, test } from 'vitest';
import { findWords } from './find-words.ts';

const word = 'Žo"ë\\Brzd';
const escaped = JSON.stringify(word);

test.each([
  ['plain, in another letter case', `a ${word.toUpperCase()} b`],
  ['within JSON', `{"a":${escaped}}`],
  ['within JSON in JSON', JSON.stringify({ a: `{"b":${escaped}}` })],
  ['within JSON of ASCII only', escaped.replace('Ž', '\\u017d').replace('ë', '\\u00eb')],
  ['in hex', `\\x${Buffer.from(`a${word}b`).toString('hex')}`],
  ...[0, 1, 2].map((before) => [
    `in base64 behind ${before} bytes`,
    Buffer.from(`${'x'.repeat(before)}${word}x`).toString('base64'),
  ]),
])('finds a word %s', (_form, text) => {
  expect(findWords(['nothing here', text], ['Other', word])).toEqual([text]);
});
