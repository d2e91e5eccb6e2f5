import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

test('the API’s description has no linter problems', async () => {
  const script = resolve(root, 'services/gateway/src/openapi/print.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script], { maxBuffer: 16 * 1024 * 1024 });
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: stdout, config });
  expect(
    problems.map(({ ruleId, message, location }) => `${location[0]?.pointer} ${ruleId}: ${message}`),
  ).toEqual([]);
});
