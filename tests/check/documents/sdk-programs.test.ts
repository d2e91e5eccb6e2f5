import { execFile } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '@parley/testing/setup/folders';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');

/** What the programs use from outside, by name. */
const given = {
  workspace: "declare const workspace: import('@parley/client').WorkspaceClient;",
  request: 'declare const request: Request;',
  webhookId: 'declare const webhookId: string;',
  botId: 'declare const botId: string;',
  interactionId: 'declare const interactionId: string;',
  interaction: "declare const interaction: import('@parley/client').Interaction;",
  savedCursor: 'declare let savedCursor: string | undefined;',
  webhooks: "declare const webhooks: import('@parley/client').WorkspaceClient['webhooks'];",
  signingSecret: 'declare const signingSecret: string;',
  writeFile: "import { writeFile } from 'node:fs/promises';",
};

test('the TypeScript of the pages on the SDKs compiles strictly', async () => {
  await using folder = await temporaryFolder('pages');
  const pages = ['client.md', 'client-calls.md'].map((name) => readFile(join(root, 'docs', name), 'utf8'));
  const text = (await Promise.all(pages)).join('\n');
  const blocks = Array.from(text.matchAll(/^```ts\n(.*?)^```/gms), ([, source = '']) => source);
  expect(blocks.length).toBeGreaterThan(9);
  await symlink(join(root, 'node_modules'), join(folder.path, 'node_modules'));
  for (const [index, source] of blocks.entries()) {
    const names = Object.entries(given).filter(
      ([name]) => !new RegExp(`(?:const|let) \\{? ?${name}\\b`).test(source),
    );
    const program = [...names.map(([, line]) => line), source].join('\n');
    await writeFile(join(folder.path, `block-${index}.ts`), program);
  }
  const compilerOptions = {
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    customConditions: ['@parley/source'],
    target: 'esnext',
    module: 'nodenext',
    moduleDetection: 'force',
    lib: ['esnext', 'dom', 'dom.iterable'],
    types: ['node'],
  };
  await writeFile(join(folder.path, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const { stdout } = await promisify(execFile)('tsc', ['--project', '.'], { cwd: folder.path }).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe('');
});
