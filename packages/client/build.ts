// Compiles the published files into `dist`: sh packages/local/run.sh packages/client/build.ts. `npm pack`
// runs it.
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = import.meta.dirname;
const dist = join(root, 'dist');

const compile = (folder: string, ...options: string[]): void => {
  execFileSync('tsc', ['-p', join(root, 'tsconfig.build.json'), '--outDir', join(dist, folder), ...options], {
    stdio: 'inherit',
  });
};

rmSync(dist, { recursive: true, force: true });
compile('esm');
compile('cjs', '--module', 'commonjs', '--moduleResolution', 'bundler', '--verbatimModuleSyntax', 'false');
// Node reads the type of a file from the nearest package.json.
writeFileSync(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n');
cpSync(resolve(root, '../../LICENSE'), join(dist, 'LICENSE'));
