import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { auditActions } from '@parley/contracts/audit-actions';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** The actions in the table of docs/access/audit.md, where `.updated` has the thing of the action before it. */
function documentedActions(): string[] {
  const text = readFileSync(resolve(root, 'docs/access/audit.md'), 'utf8');
  const [, table = ''] = /^\| action \| what \|\n\|---\|---\|\n((?:\|.*\n)+)/m.exec(text) ?? [];
  return table.split('\n').flatMap((row) => {
    let thing = '';
    const names = [...(row.split('|')[1] ?? '').matchAll(/`(\w*)\.(\w+)`/g)];
    return names.map(([, named, verb]) => {
      thing = named || thing;
      return `${thing}.${verb}`;
    });
  });
}

test('docs/access/audit.md says what each action of the audit log is, once', () => {
  expect(documentedActions().toSorted()).toEqual(auditActions.toSorted());
});

test('services record each action of the audit log', () => {
  const files = globSync('services/*/src/**/*.ts', { cwd: root });
  const code = files.map((file) => readFileSync(resolve(root, file), 'utf8')).join('\n');
  expect(auditActions.filter((action) => !code.includes(`'${action}'`))).toEqual([]);
});
