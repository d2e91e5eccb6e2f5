import type { Source } from '../parts/source.ts';
import { withReferences } from '../parts/texts.ts';
import type { Form } from './names.ts';

const recall = /\{\{\s*((?:field|hidden|var|variable):[^{}|]*?)\s*(?:\|([^{}]*))?\}\}/g;

/** Returns a text of a form as a text of a bot: without Markdown, with references. Undefined if it is empty. */
export function wordsIn(source: Source, form: Form): string | undefined {
  const text = source.text();
  if (text === undefined || text.trim() === '') return undefined;
  const plain = withoutMarkdown(text);
  if (plain !== text) form.report.changed(source, 'formatting');
  return withReferences(plain, recall, (inside) => form.referenceTo(inside, source)).trim();
}

/** Returns the words without `*bold*` and `_italic_`, and with the address of a link. References stay. */
function withoutMarkdown(text: string): string {
  const references: string[] = [];
  const marked = text.replaceAll(/\{\{[^{}]*\}\}/g, (found) => `\uE000${references.push(found) - 1}\uE001`);
  return marked
    .replaceAll(/\[([^\]]+)\]\((https?:[^)\s]+)\)/g, '$1 ($2)')
    .replaceAll(/(?<![\w\\*])\*([^*\n]+)\*(?![\w*])/g, '$1')
    .replaceAll(/(?<![\w\\_])_([^_\n]+)_(?![\w_])/g, '$1')
    .replaceAll(/\\([_*])/g, '$1')
    .replaceAll(/\uE000(\d+)\uE001/g, (_, index: string) => references[Number(index)] ?? '');
}
