import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findChromium, NoChromiumError } from './chromium.ts';
import { temporaryFolder } from './folders.ts';

test('the Chromium that is named is taken, then the one in PATH, and nothing is fetched', async () => {
  await using folder = await temporaryFolder('chromium');
  const path = join(folder.path, 'google-chrome');
  await writeFile(path, '');
  await chmod(path, 0o755);
  const shown: string[] = [];
  const show = (line: string): void => void shown.push(line);
  expect(await findChromium({ CHROMIUM_BIN: process.execPath, PATH: folder.path }, show)).toBe(
    process.execPath,
  );
  expect(await findChromium({ PATH: `/nowhere:${folder.path}` }, show)).toBe(path);
  expect(shown).toEqual([]);
});

test('a named Chromium that is not there is an error, not a reason to take another', async () => {
  const found = findChromium({ CHROMIUM_BIN: '/nowhere/chromium', PATH: process.env['PATH'] }, () => {});
  await expect(found).rejects.toThrow(NoChromiumError);
});
