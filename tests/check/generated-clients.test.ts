import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
// The generators need a compiler with a JavaScript API: typescript 5, which this package has.
const modules = join(root, 'packages/testing/node_modules');

const orval = (client: string, output: object) => ({
  input: './openapi.json',
  output: { target: `./orval/${client}.ts`, client, ...output },
});

const files = {
  'package.json': JSON.stringify({ type: 'module' }),
  'orval.config.mjs': `export default ${JSON.stringify({
    fetch: orval('fetch', {}),
    split: orval('fetch', { target: './orval/split/api.ts', schemas: './orval/model', mode: 'tags-split' }),
    zod: orval('zod', {}),
  })};`,
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      strict: true,
      noEmit: true,
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: [],
    },
    include: ['openapi-typescript.ts', 'openapi-ts', 'orval', 'use.ts'],
  }),
  // The minimum fields that the API accepts; one fewer is an error.
  'use.ts': `import createClient from 'openapi-fetch';
import type { paths } from './openapi-typescript';
import { createInteraction, rotateSigningSecret } from './openapi-ts';
import { createInteraction as createByOrval } from './orval/fetch';
import { CreateInteractionBody } from './orval/zod';

const path = { workspaceId: 'w' };
const body = { customerId: 'customer-1', botId: 'b' };
const { POST, GET } = createClient<paths>({ baseUrl: 'http://127.0.0.1' });
const made = await POST('/v1/workspaces/{workspaceId}/interactions', { params: { path }, body });
export const status: 'Draft' | 'Pending' | 'InProgress' | 'Completed' | 'Expired' | undefined = made.data?.data.status;
export const type: string | undefined = made.error?.type;
await GET('/v1/workspaces/{workspaceId}/interactions', { params: { path } });
await POST('/v1/workspaces/{workspaceId}/webhooks/{webhookId}/secret/rotate', {
  params: { path: { ...path, webhookId: 'h' } },
});
// @ts-expect-error
await POST('/v1/workspaces/{workspaceId}/interactions', { params: { path }, body: { botKey: 'b' } });

export const id: string | undefined = (await createInteraction({ path, body })).data?.data.id;
await rotateSigningSecret({ path: { ...path, webhookId: 'h' } });
// @ts-expect-error
await createInteraction({ path, body: { botId: 'b' } });

const answer = await createByOrval('w', body);
export const shown: string = answer.status === 200 ? answer.data.data.id : answer.data.type;
CreateInteractionBody.parse(body);
`,
};

const bin = (name: string): string => join(modules, '.bin', name);

test('generated clients compile strictly, and require no field that has a default', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-clients-'));
  const run = async (command: string, ...args: string[]): Promise<string> => {
    try {
      const { stdout } = await promisify(execFile)(command, args, {
        cwd: folder,
        maxBuffer: 16 * 1024 * 1024,
      });
      return stdout;
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      return expect.fail(`${command} ${args.join(' ')}\n${stdout}${stderr}`);
    }
  };
  try {
    await symlink(modules, join(folder, 'node_modules'));
    const description = await run(process.execPath, join(root, 'services/gateway/src/openapi/print.ts'));
    const written = Object.entries({ ...files, 'openapi.json': description });
    await Promise.all(written.map(([name, text]) => writeFile(join(folder, name), text)));
    await Promise.all([
      run(bin('openapi-typescript'), 'openapi.json', '--output', 'openapi-typescript.ts'),
      run(bin('openapi-ts'), '--input', 'openapi.json', '--output', 'openapi-ts', '--silent'),
      run(bin('orval'), '--config', 'orval.config.mjs'),
    ]);
    await run('tsc', '--project', '.');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
