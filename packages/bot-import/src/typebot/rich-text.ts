import { isJsonObject } from '@parley/runtime/json/json-object';
import type { Source } from '../parts/source.ts';

/** What a bubble says: lines of plain text, with the addresses of links. */
export type Words = { text: string; isFormatted: boolean };

/** Returns the words of a bubble: of its rich text, else of its plain text or HTML. */
export function readRichText(content: Source): Words {
  const rich = content.at('richText');
  if (rich.items().length === 0) {
    const plain = content.at('plainText').text();
    return { text: plain ?? content.at('html').text() ?? '', isFormatted: false };
  }
  // The same words once more.
  content.at('plainText').pass();
  content.at('html').pass();
  const state = { isFormatted: false };
  const lines = rich.items().map((element) => lineOf(element, state, ''));
  return {
    text: lines
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim(),
    isFormatted: state.isFormatted,
  };
}

const marks = ['bold', 'italic', 'underline', 'strikethrough', 'code'];

function lineOf(element: Source, state: { isFormatted: boolean }, indent: string): string {
  const type = element.at('type').text();
  element.at('id').pass();
  const own = element.at('text').text();
  for (const mark of marks) if (element.at(mark).flag() === true) state.isFormatted = true;
  const children = element.at('children').items();
  if (type === 'ul' || type === 'ol') {
    return children
      .map(
        (item, index) =>
          `${indent}${type === 'ol' ? `${index + 1}.` : '-'} ${lineOf(item, state, `${indent}  `)}`,
      )
      .join('\n');
  }
  const parts = children.map((child, index) => {
    const isBlock =
      index > 0 &&
      isJsonObject(child.value) &&
      ['p', 'ul', 'ol', 'li'].includes(String(child.at('type').value));
    return `${isBlock ? '\n' : ''}${lineOf(child, state, indent)}`;
  });
  const inside = parts.join('');
  if (type !== 'a') return own ?? inside;
  const address = element.at('url').text() ?? '';
  element.at('target').pass();
  return address === '' || inside.trim() === address ? inside || address : `${inside} (${address})`;
}
