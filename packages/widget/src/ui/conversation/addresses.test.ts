import { describe, expect, test } from 'vitest';
import { findAddresses } from './addresses.ts';

describe('addresses in a text', () => {
  test('are found without the end of the sentence', () => {
    expect(findAddresses('See https://example.com/x?y=1, or (https://example.org/a-b)!')).toEqual([
      { text: 'See ' },
      { text: 'https://example.com/x?y=1', href: 'https://example.com/x?y=1' },
      { text: ', or (' },
      { text: 'https://example.org/a-b', href: 'https://example.org/a-b' },
      { text: ')!' },
    ]);
  });

  test('link to their own text', () => {
    for (const { text, href } of findAddresses('https://EXAMPLE.com/ä https://bücher.example')) {
      if (href !== undefined) expect(new URL(text).href).toBe(href);
    }
  });

  test.each([
    '2 * 3 * 4',
    '<img src=x onerror=alert(1)> & <b>b</b>',
    'javascript:alert(1)',
    'http://example.com',
    'https://trusted.example@evil.example',
    'https://',
    '//example.com',
    'data:text/html,x',
  ])('leaves %j as text', (source) => {
    expect(findAddresses(source)).toEqual([{ text: source }]);
  });

  test('return the text in pieces', () => {
    for (const source of [
      '',
      'a',
      'https://a.example',
      'x https://a.example y https://b.example.',
      'https:// https://a',
    ]) {
      expect(
        findAddresses(source)
          .map(({ text }) => text)
          .join(''),
      ).toBe(source);
    }
  });
});
