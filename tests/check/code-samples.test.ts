import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { CodeSample } from '../../services/gateway/src/openapi/samples.ts';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

interface Described {
  paths: Record<string, Record<string, { operationId: string; 'x-codeSamples': CodeSample[] }>>;
}

test('the TypeScript sample of every operation compiles against the client', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-samples-'));
  try {
    const script = join(root, 'services/gateway/src/openapi/print.ts');
    const { stdout } = await run(process.execPath, [script], { maxBuffer: 16 * 1024 * 1024 });
    const operations = Object.values((JSON.parse(stdout) as Described).paths).flatMap((item) =>
      Object.values(item),
    );
    expect(operations.length).toBeGreaterThan(40);
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    const compilerOptions = {
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      customConditions: ['@parley/source'],
      target: 'esnext',
      module: 'nodenext',
      moduleDetection: 'force',
      lib: ['esnext', 'dom'],
      types: [],
    };
    const files = operations.map(({ operationId, 'x-codeSamples': samples }): [string, string] => [
      `${operationId}.ts`,
      samples.find(({ lang }) => lang === 'TypeScript')?.source ?? '',
    ]);
    const written = [
      ...files,
      ['package.json', JSON.stringify({ type: 'module' })] as const,
      ['tsconfig.json', JSON.stringify({ compilerOptions, include: ['*.ts'] })] as const,
    ];
    await Promise.all(written.map(([name, text]) => writeFile(join(folder, name), text)));
    await run('tsc', ['--project', folder]).catch(({ stdout }: { stdout: string }) => expect.fail(stdout));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
