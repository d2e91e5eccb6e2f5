import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@parley/testing/eventually';
import { findDistributionProgram } from '@parley/testing/servers/distribution-program';
import { findPython } from '@parley/testing/servers/python';
import { temporaryFolder } from '@parley/testing/setup/folders';
import { expect, inject, test } from 'vitest';
import { createNpsWorkspace } from '../insight/nps-workspace.ts';

// The first program of docs/events-in-any-language.md, as it is: a consumer that reads the log.

const root = resolve(import.meta.dirname, '../..');
const { baseUrl } = inject('local');
const operator = inject('operator');

test('the consumer of the log in the docs has an effect once per event, also after it was killed', async () => {
  await using folder = await temporaryFolder('python-consumer');
  const cwd = folder.path;
  const [python, compiler, plugin] = await Promise.all([
    findPython('grpc'),
    findDistributionProgram('protobuf-compiler', 'usr/bin/protoc'),
    findDistributionProgram('protobuf-compiler-grpc', 'usr/bin/grpc_python_plugin'),
  ]);
  if (typeof compiler === 'string') return expect.fail(compiler);
  if (typeof plugin === 'string') return expect.fail(plugin);
  const execute = promisify(execFile);
  const { stdout: archive } = await execute(join(root, 'deploy/proto-archive'), [cwd]);
  await mkdir(join(cwd, 'proto'));
  await execute('tar', ['-xzf', archive.trim(), '-C', 'proto'], { cwd });
  const docs = await readFile(join(root, 'docs/events-in-any-language.md'), 'utf8');
  // The command of the docs needs `grpc_tools`, which is no package of Debian.
  const template = {
    version: 'v2',
    plugins: [
      { protoc_builtin: 'python', protoc_path: compiler.path, out: '.' },
      { local: plugin.path, out: '.' },
    ],
  };
  const libraries = [compiler.env['LD_LIBRARY_PATH'], plugin.env['LD_LIBRARY_PATH']]
    .filter(Boolean)
    .join(':');
  await execute('buf', ['generate', 'proto', '--template', JSON.stringify(template)], {
    cwd,
    env: { ...process.env, ...(libraries && { LD_LIBRARY_PATH: libraries }) },
  });
  const [, program = ''] = /^## The log alone\n.*?^```python\n(.*?)^```/ms.exec(docs) ?? [];
  await writeFile(join(cwd, 'consumer.py'), program);

  const settings = {
    ...process.env,
    ...python.env,
    RPC_TOKEN: operator.consumerToken,
    INTERACTION_ADDRESS: operator.interaction,
  };
  const charges = async (interactionId: string): Promise<number> => {
    const code = `import sqlite3, sys
rows = sqlite3.connect("billing.db").execute("select count(*) from charge where interaction_id = ?", sys.argv[1:])
print(rows.fetchone()[0])`;
    const { stdout } = await execute(python.path, ['-c', code, interactionId], { cwd, env: settings });
    return Number(stdout);
  };
  const consume = async (interactionId: string): Promise<void> => {
    const consumer = spawn(python.path, ['consumer.py'], {
      cwd,
      env: settings,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let faults = '';
    consumer.stderr.on('data', (chunk: Buffer) => (faults += chunk.toString()));
    try {
      await eventually(async () => {
        expect(faults).toBe('');
        expect(await charges(interactionId)).toBe(1);
      });
    } finally {
      consumer.kill('SIGKILL');
      await once(consumer, 'exit');
    }
  };

  const { create, patch } = await createNpsWorkspace(baseUrl, operator);
  const complete = async (): Promise<string> => {
    const { id } = (await create({ status: 'Pending' })).body.data;
    await patch(id, { status: 'Completed' });
    return id;
  };
  const first = await complete();
  await consume(first);
  await consume(await complete());
  expect(await charges(first)).toBe(1);
});
