// Builds the wheel and the source archive into `dist`: `npm run build:python`.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findPython } from '@parley/testing/servers/python';

const root = import.meta.dirname;
const [, , dist = join(root, 'dist')] = process.argv;
const { path, env } = await findPython();
// setuptools writes beside the sources.
const work = mkdtempSync(join(tmpdir(), 'parley-python-'));
try {
  for (const name of ['pyproject.toml', 'README.md', 'src'])
    cpSync(join(root, name), join(work, name), { recursive: true });
  cpSync(resolve(root, '../../LICENSE'), join(work, 'LICENSE'));
  mkdirSync(dist, { recursive: true });
  // setuptools builds one archive per process.
  for (const build of ['build_sdist', 'build_wheel']) {
    const code = `import sys, setuptools.build_meta as backend; backend.${build}(sys.argv[1])`;
    execFileSync(path, ['-c', code, resolve(dist)], {
      cwd: work,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
} finally {
  rmSync(work, { recursive: true });
}
