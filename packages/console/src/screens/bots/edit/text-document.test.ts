import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextDocument } from './text-document.ts';

function open(text: string) {
  const seen: string[] = [];
  return { seen, document: new TextDocument(text, (next) => seen.push(next)) };
}

test('every change can be undone and redone, in any order of changes', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '"', '😀') }), { minLength: 1 }),
      (texts) => {
        const { document } = open(texts[0] ?? '');
        const different = texts.filter((text, index) => index === 0 || text !== texts[index - 1]);
        for (const text of texts) document.change(text);
        expect(document.depths).toEqual({ undo: different.length - 1, redo: 0 });
        for (const text of different.toReversed().slice(1)) {
          document.undo();
          expect(document.text).toBe(text);
        }
        for (const text of different.slice(1)) {
          document.redo();
          expect(document.text).toBe(text);
        }
      },
    ),
  );
});

test('what is typed at one place is one step, and another edit is a step of its own', () => {
  const { document, seen } = open('"x"');
  for (const text of ['"xa"', '"xab"', '"xabc"']) document.change(text, { isTyping: true });
  document.change('["xabc"]');
  expect(document.depths).toEqual({ undo: 2, redo: 0 });
  expect(document.undo()).toBe(0);
  expect(document.undo()).toBe(2);
  expect(document.undo()).toBeUndefined();
  expect(seen).toEqual(['"xa"', '"xab"', '"xabc"', '["xabc"]', '"xabc"', '"x"']);
});

test('the text of somebody else is shown, and undo reaches only what was typed here', () => {
  const { document, seen } = open('["a"]');
  document.follow('["a", "b"]');
  expect([document.text, document.depths]).toEqual(['["a", "b"]', { undo: 0, redo: 0 }]);
  document.change('["c", "b"]');
  document.undo();
  expect(seen).toEqual(['["a", "b"]', '["c", "b"]', '["a", "b"]']);
  expect(document.undo()).toBeUndefined();
});
