import { questionTypes } from '@parley/bot/question-types';
import { withGenerated } from './generated-part.ts';

/** Returns docs/bots/steps.md with the table of the types of questions. Types with the same options share a row. */
export function questionTypesDocument(text: string): string {
  const groups = Map.groupBy(questionTypes, ({ docs }) => docs);
  const rows = [...groups].map(([{ options, value }, types]) => {
    const names = types.map(({ name }) => `\`${name}\``).join(', ');
    return `| ${[names, options, value, types[0]?.figure ?? ''].join(' | ')} |`.replaceAll('|  |', '| |');
  });
  const head = ['| type | options | value in expressions | figures |', '|---|---|---|---|'];
  return withGenerated(text, [...head, ...rows].join('\n'));
}
