import { expect, test } from 'vitest';
import { secretTokenFingerprint } from './fingerprint.ts';

test('fingerprints differ between tokens, workspaces and keys', () => {
  const [one, another] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const fingerprints = [
    secretTokenFingerprint(one, 'ws', 'a'),
    secretTokenFingerprint(one, 'ws', 'b'),
    secretTokenFingerprint(one, 'other', 'a'),
    secretTokenFingerprint(another, 'ws', 'a'),
  ].map((bytes) => bytes.toString('hex'));
  expect(new Set(fingerprints).size).toBe(4);
});
