import { Marked, type Tokens } from 'marked';
import { escaped } from '@parley/runtime/html';
import { codeBlock } from './code.ts';

const labels: Record<string, string> = {
  sh: 'Shell',
  ts: 'TypeScript',
  python: 'Python',
  go: 'Go',
  js: 'JavaScript',
  html: 'HTML',
  json: 'JSON',
};

const isComment = /^<!--(?:(?!-->)[^])*-->\s*$/;

const renderer = {
  code: ({ text, lang = '' }: Tokens.Code) => codeBlock(text, labels[lang] ?? 'Text'),
  html: ({ text }: Tokens.HTML | Tokens.Tag) => (isComment.test(text) ? '' : escaped(text)),
};

const marked = new Marked({ renderer });

/** Returns Markdown as HTML. Shows tags as text, and leaves out comments. */
export function prose(markdown: string): string {
  return marked.parse(markdown, { async: false });
}

/** Returns Markdown as HTML without paragraphs. */
export function phrase(markdown: string): string {
  return marked.parseInline(markdown, { async: false });
}

/**
 * As `prose`, with ids of headings. `hrefOf` returns the address of a link or picture; undefined if it leads nowhere:
 * then only its text is shown.
 */
export function proseWithLinks(markdown: string, hrefOf: (href: string) => string | undefined): string {
  const linked = new Marked({
    renderer: {
      ...renderer,
      heading({ depth, tokens, text }) {
        return `<h${depth} id="${headingId(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const shown = this.parser.parseInline(tokens);
        const target = hrefOf(href);
        return target === undefined ? shown : `<a href="${escaped(target)}">${shown}</a>`;
      },
      image({ href, text }) {
        const target = hrefOf(href);
        return target === undefined ? escaped(text) : `<img src="${escaped(target)}" alt="${escaped(text)}">`;
      },
    },
  });
  return linked.parse(markdown, { async: false });
}

/** Returns the id of a heading, as GitHub makes it: links between the files of a repository use these. */
export function headingId(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}
