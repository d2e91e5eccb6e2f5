import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { databaseServices } from '@parley/contracts/services';
import { temporaryFolder } from '@parley/testing/setup/folders';
import { beforeEach, expect, test } from 'vitest';
import { extractRelease, git, obstacleToRelease, lastRelease } from '../../system/release.ts';

const root = resolve(import.meta.dirname, '../../..');

beforeEach(async ({ skip }) => {
  const obstacle = await obstacleToRelease();
  if (obstacle) skip(obstacle);
});

test('proto/baseline.binpb is the protocol of the last release', async () => {
  await using folder = await temporaryFolder('baseline');
  await extractRelease(folder.path, 'proto');
  const cwd = join(folder.path, 'proto');
  await promisify(execFile)('buf', ['build', '-o', 'now.binpb'], { cwd });
  const [released, baseline] = await Promise.all([
    readFile(join(cwd, 'now.binpb')),
    readFile(join(root, 'proto/baseline.binpb')),
  ]);
  expect(baseline.equals(released)).toBe(true);
});

/** A module that a migration imports may move. */
const withoutModules = (text: string): string => text.replace(/ from '[^']+';/g, '');

test.each(databaseServices)(
  'released migrations are unchanged, and new ones follow them: %s',
  async (service) => {
    const folder = `services/${service}/src/migrations`;
    // A service that is new since the last release has no released migrations.
    if (!(await git('ls-tree', lastRelease.commit, folder))) return;
    const atRelease = async (path: string): Promise<string> => git('show', `${lastRelease.commit}:${path}`);
    const files = (await git('ls-tree', '--name-only', lastRelease.commit, `${folder}/`)).trim().split('\n');
    const migrations = files.filter((path) => !path.endsWith('/index.ts'));
    expect(migrations).not.toEqual([]);
    for (const path of migrations) {
      const now = await readFile(join(root, path), 'utf8').catch(() => 'missing');
      const isSame = withoutModules(now) === withoutModules(await atRelease(path));
      expect(isSame, `${path} differs from ${lastRelease.tag}`).toBe(true);
    }
    const namesIn = (index: string): string[] =>
      [...index.matchAll(/^ {2}'([^']+)':/gm)].map(([, name]) => String(name));
    const released = namesIn(await atRelease(`${folder}/index.ts`));
    const names = namesIn(await readFile(join(root, folder, 'index.ts'), 'utf8'));
    expect(released).toHaveLength(migrations.length);
    expect(names.slice(0, released.length)).toEqual(released);
    expect(names).toEqual(names.toSorted());
  },
);
