import { expect, test } from 'vitest';
import { compilePattern, lacksPatterns, loadPatterns } from './patterns-on-demand.ts';

test('RE2 is loaded for a definition with a pattern only, and compiles then', async () => {
  const plain = { steps: [{ text: 'What is a "pattern"?', input: { type: 'text' } }] };
  const withPattern = { steps: [{ input: { type: 'text', pattern: '[a-z]+' } }] };
  await loadPatterns(plain);
  expect([lacksPatterns(plain), lacksPatterns(withPattern), lacksPatterns(undefined)]).toEqual([
    false,
    true,
    false,
  ]);
  expect(() => compilePattern('[a-z]+')).toThrow('not loaded');
  await loadPatterns(withPattern);
  expect(lacksPatterns(withPattern)).toBe(false);
  expect(compilePattern('[a-z]+').matches('abc')).toBe(true);
});
