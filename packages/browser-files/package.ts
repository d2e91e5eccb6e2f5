// Builds the content of the npm package @parley/widget: sh packages/local/run.sh
// packages/browser-files/package.ts
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { bundlePackage, packageDist } from './bundle-package.ts';
import { widgetRoot } from './bundling.ts';

/**
 * Emits the declarations of the widget and the client. They import each other by path: @parley/client is no dependency.
 */
function declare(folder: string): void {
  execFileSync('tsc', ['-p', join(widgetRoot, 'tsconfig.build.json'), '--outDir', folder], {
    stdio: 'inherit',
  });
  for (const file of globSync('widget/src/**/*.d.ts', { cwd: folder })) {
    const path = join(folder, file);
    const client = relative(dirname(path), join(folder, 'client/src/public.js'));
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll("'@parley/client/public'", `'${client}'`));
  }
}

rmSync(packageDist, { recursive: true, force: true });
await bundlePackage();
declare(join(packageDist, 'esm/types'));
cpSync(join(packageDist, 'esm/types'), join(packageDist, 'cjs/types'), { recursive: true });
// Node reads the type of a file from the nearest package.json.
writeFileSync(join(packageDist, 'cjs/package.json'), '{ "type": "commonjs" }\n');
cpSync(resolve(widgetRoot, '../../LICENSE'), join(packageDist, 'LICENSE'));
