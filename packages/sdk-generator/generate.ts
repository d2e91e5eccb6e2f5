import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type ApiDocument, readApi } from './src/api.ts';
import { flatten } from './src/flat.ts';
import { goFiles } from './src/go.ts';
import { pythonFiles } from './src/python.ts';
import { typescriptFiles } from './src/typescript.ts';

// `generate.ts ROOT < openapi.json`: writes the types and calls of the SDKs of all languages below ROOT.

const [, , root = ''] = process.argv;
const api = readApi(JSON.parse(readFileSync(0, 'utf8')) as ApiDocument);
const flat = flatten(api);
const notice = 'Generated from the OpenAPI document by packages/sdk-generator: `npm run generate`.';

for (const [name, text] of Object.entries(typescriptFiles(api, flat.declared, notice))) {
  // The formatter derives the language from the name, and skips files in `gen`.
  const format = ['format', '--stdin-file-path', resolve(import.meta.dirname, name)];
  write(`packages/client/src/gen/${name}`, execFileSync('biome', format, { input: text }).toString());
}

const python = (name: string): string =>
  readFileSync(resolve(import.meta.dirname, `../sdk-python/src/parley/${name}.py`), 'utf8');
const sources = { io: python('_async_io'), client: python('_async_client') };
for (const [name, text] of Object.entries(pythonFiles(flat, notice, sources)))
  write(`packages/sdk-python/src/parley/gen/${name}`, text);

for (const [name, text] of Object.entries(goFiles(flat, notice))) write(`packages/sdk-go/${name}`, text);

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
