import { counted } from '../counted.ts';
import { diffText, valueLines } from '../diff-lines.ts';
import type { Change, Plan } from './plan.ts';

const signs = { create: '+', update: '~', delete: '-' };

/** Returns each difference with its fields, and what stays though no file names it. */
export function planText({ changes, kept, deletedNow }: Plan): string {
  const notes = [
    ...kept.map(({ id, url }) => `  webhook ${url} (${id}) is in no file and stays; --prune deletes it`),
    ...(deletedNow > 0
      ? [`! the retention deletes ${counted(deletedNow, 'interaction')} now: apply needs --prune`]
      : []),
  ];
  const summary = changes.length === 0 ? 'There are no differences.' : `${summaryOf(changes)}.`;
  return [...changes.map(changeText), ...notes, summary].join('\n');
}

/** One line. */
export function titleOf(change: Change): string {
  const { action, kind, name } = change;
  const subject = kind === name ? kind : `${kind} ${name}`;
  return `${signs[action]} ${subject}${'version' in change ? `, version ${change.version}` : ''}`;
}

/** As programs read it. */
export function changeJson(change: Change) {
  const { kind, action, name, fields } = change;
  return {
    kind,
    action,
    name,
    ...('id' in change && { id: change.id }),
    ...('from' in change && { file: change.from.file }),
    ...('version' in change && { version: change.version }),
    fields,
    ...('diff' in change && { steps: change.diff.steps, conditions: change.diff.conditions }),
  };
}

function changeText(change: Change): string {
  const lines =
    'diff' in change
      ? diffText(change.diff)
          .split('\n')
          .map((line) => `    ${line}`)
      : change.fields.flatMap(valueLines);
  return [titleOf(change), ...lines].join('\n');
}

function summaryOf(changes: readonly Change[]): string {
  const count = (action: Change['action']): number => changes.filter((one) => one.action === action).length;
  const parts = [
    [count('create'), 'to create'],
    [count('update'), 'to change'],
    [count('delete'), 'to delete'],
  ] as const;
  return parts.flatMap(([number, words]) => (number > 0 ? [`${number} ${words}`] : [])).join(', ');
}
