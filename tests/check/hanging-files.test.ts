import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '@parley/testing/setup/folders';
import { expect, test } from 'vitest';

const reporter = resolve(import.meta.dirname, '../suite/hanging-files.ts');

/** The modules of a test file that would run for ever, and of its run. */
const files = {
  'hangs.test.ts': `
    test('ends', () => {});
    test('starves its event loop', async () => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      for (;;) await Promise.resolve();
    });`,
  'vitest.config.ts': `
    import { HangingFiles } from '${reporter}';
    export default {
      test: { globals: true, isolate: false, reporters: ['default', new HangingFiles({ limitMs: 3_000 })] },
    };`,
};

test('a test file that starves its event loop is named, and ends the run', { timeout: 120_000 }, async () => {
  await using folder = await temporaryFolder('hanging');
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text);
  const run = promisify(execFile)('vitest', ['run', '--root', folder.path], { cwd: folder.path });
  await expect(run).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('HANGS: hangs.test.ts > starves its event loop has not ended'),
  });
});
