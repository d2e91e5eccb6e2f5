import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findChromium, NoChromiumError } from './chromium.ts';
import { temporaryFolder } from '../setup/folders.ts';

test('uses the named Chromium, else the one in PATH, without a fetch', async () => {
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

test('rejects a named Chromium that does not exist', async () => {
  const found = findChromium({ CHROMIUM_BIN: '/nowhere/chromium', PATH: process.env['PATH'] }, () => {});
  await expect(found).rejects.toThrow(NoChromiumError);
});
