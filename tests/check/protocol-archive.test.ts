import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtempDisposable, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { unpackPackage } from '@parley/local/processes/distribution-package';
import { expect, test } from 'vitest';

const execute = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const unpacked = join(root, 'node_modules/.cache/parley/protoc');

/** Returns the command that runs `protoc`: an installed one, else the one of the distribution's packages. */
async function protocCommand(): Promise<string> {
  const installed = await execute('protoc', ['--version']).then(
    () => true,
    () => false,
  );
  if (installed) return 'protoc';
  if (!existsSync(unpacked)) await fetchProtoc();
  const library = globSync(join(unpacked, 'usr/lib/*/libprotoc.so*'))[0] ?? '';
  const folder = resolve(library, '..');
  return `LD_LIBRARY_PATH=${folder} ${unpacked}/usr/bin/protoc -I ${unpacked}/usr/include`;
}

async function fetchProtoc(): Promise<void> {
  const folder = `${unpacked}-${process.pid}`;
  await mkdir(folder, { recursive: true });
  for (const name of ['protobuf-compiler', 'libprotobuf-dev']) await unpackPackage(name, folder, 60_000);
  // Another run may have been faster.
  await rename(join(folder, 'files'), unpacked).catch(() => {});
  await rm(folder, { recursive: true });
}

test('the commands of docs/events-in-any-language.md make code of the archive in which no import is missing', {
  timeout: 240_000,
}, async () => {
  const docs = readFileSync(join(root, 'docs/events-in-any-language.md'), 'utf8');
  const [line = ''] = /^python -m grpc_tools\.protoc .*$/m.exec(docs) ?? [];
  expect(line).not.toBe('');
  await using folder = await mkdtempDisposable(join(tmpdir(), 'parley-proto-'));
  const cwd = folder.path;
  const { stdout } = await execute(join(root, 'deploy/proto-archive'), [cwd]);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  expect(stdout.trim()).toBe(join(cwd, `parley-proto-${version}.tar.gz`));
  await mkdir(join(cwd, 'proto'));
  await execute('tar', ['-xzf', stdout.trim(), '-C', 'proto'], { cwd });

  // The code of gRPC needs a plugin that only `grpc_tools` has.
  const protoc = await protocCommand();
  const command = line.replace('python -m grpc_tools.protoc', protoc).replace(/--grpc_python_out=\S+ /, '');
  await execute('sh', ['-c', command], { cwd });
  const modules = (await readdir(cwd, { recursive: true })).filter((name) => name.endsWith('_pb2.py'));
  expect(modules).toContain('parley/events/v1/log_pb2.py');
  expect(modules).toContain('parley/interaction/v1/facts_pb2.py');
  const imported = modules.flatMap((name) =>
    [...readFileSync(join(cwd, name), 'utf8').matchAll(/^from (parley\S*) import (\w+)/gm)].map(
      ([, folderName = '', module = '']) => `${folderName.replaceAll('.', '/')}/${module}.py`,
    ),
  );
  expect(imported).toContain('parley/common/v1/access_pb2.py');
  expect(imported.filter((name) => !modules.includes(name))).toEqual([]);
});

test('each file of the protocol has a package of Go', () => {
  for (const name of globSync('proto/parley/**/*.proto', { cwd: root })) {
    const [, noun = ''] = /^proto\/parley\/(\w+)\/v1\//.exec(name) ?? [];
    const text = readFileSync(join(root, name), 'utf8');
    expect(text, name).toContain(`option go_package = "parley.dev/proto/${noun}/v1;${noun}v1";`);
  }
});
