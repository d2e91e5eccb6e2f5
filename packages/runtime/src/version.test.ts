import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import root from '../../../package.json' with { type: 'json' };
import { version } from './version.ts';

test('the version is that of the product', () => {
  expect(version).toBe(root.version);
});

test('a build may set its own version', () => {
  const module = JSON.stringify(join(import.meta.dirname, 'version.ts'));
  const program = `import(${module}).then(({ version }) => console.log(version))`;
  const env = { ...process.env, PARLEY_VERSION: '1.2.3-rc.1' };
  expect(execFileSync(process.execPath, ['-e', program], { env, encoding: 'utf8' })).toBe('1.2.3-rc.1\n');
});
