import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { auditActions } from '@parley/contracts/audit-actions';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

test('services record each action of the audit log', () => {
  const files = globSync('services/*/src/**/*.ts', { cwd: root });
  const code = files.map((file) => readFileSync(resolve(root, file), 'utf8')).join('\n');
  expect(auditActions.filter((action) => !code.includes(`'${action}'`))).toEqual([]);
});
