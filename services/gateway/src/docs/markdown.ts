import { Marked } from 'marked';
import { escaped } from '@parley/runtime/html';
import { codeBlock } from './code.ts';

const labels: Record<string, string> = { sh: 'Shell', ts: 'TypeScript', html: 'HTML' };

const marked = new Marked({
  renderer: {
    code: ({ text, lang = '' }) => codeBlock(text, labels[lang] ?? 'Text'),
    html: ({ text }) => escaped(text),
  },
});

/** Returns Markdown as HTML. Shows tags as text. */
export function prose(markdown: string): string {
  return marked.parse(markdown, { async: false });
}

/** As `prose`, without paragraphs. */
export function phrase(markdown: string): string {
  return marked.parseInline(markdown, { async: false });
}
