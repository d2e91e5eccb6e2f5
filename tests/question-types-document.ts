import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { questionTypes } from '@parley/bot/question-types';
import { withGenerated } from './generated-part.ts';

// The table of docs/bots.md with the types of questions: `npm run generate` writes it, and a check compares it.

export const typesPage = 'docs/bots.md';

/** Returns the text of docs/bots.md with the table. Types with the same options share a row. */
export function questionTypesDocument(): string {
  const groups = Map.groupBy(questionTypes, ({ docs }) => docs);
  const rows = [...groups].map(([{ options, value }, types]) => {
    const names = types.map(({ name }) => `\`${name}\``).join(', ');
    return `| ${[names, options, value, types[0]?.figure ?? ''].join(' | ')} |`.replaceAll('|  |', '| |');
  });
  const head = ['| type | options | value in expressions | figures |', '|---|---|---|---|'];
  return withGenerated(typesPage, [...head, ...rows].join('\n'));
}

if (import.meta.main) writeFileSync(resolve(import.meta.dirname, '..', typesPage), questionTypesDocument());
