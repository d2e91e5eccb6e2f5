import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

const introduction = `# Statements across workspaces

Generated from the code by \`npm run generate\`. These files have SQL statements that are not limited to one workspace
([decision 13](../decisions/0013-scoped-statements.md)), each marked by \`acrossWorkspaces\` with its reason. A change
that adds one changes this page.
`;

export function scopedStatementsDocument(): string {
  const files = globSync(['packages/*/src/**/*.ts', 'services/*/src/**/*.ts'], { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .toSorted();
  const rows = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const reasons = new Set(
      [...text.matchAll(/acrossWorkspaces\(\s*'([^']+)'/g)].map(([, reason = '']) => reason),
    );
    return [...reasons].map((reason) => `| \`${file}\` | ${reason} |`);
  });
  return `${introduction}\n${['| where | reason |', '|---|---|', ...rows].join('\n')}\n`;
}
