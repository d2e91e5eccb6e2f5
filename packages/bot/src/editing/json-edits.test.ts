import fc from 'fast-check';
import { expect, test } from 'vitest';
import { elementSpans, insertElement, moveElement, type Path, removeValue, setValue } from './json-edits.ts';

/** A text in a layout of its author. */
const byHand = `{
    "key" : "a",
    "list": [ 1,  2 ],
    "choices": [
        {"value": "x", "label": "X"},
        {"value": "y", "label": "Y"}
    ],

    "empty": {}, "last": "é\\u00e9"
}
`;

test('a changed value leaves all other text as it is', () => {
  expect(setValue(byHand, ['choices', 1, 'label'], 'Why')).toBe(byHand.replace('"Y"', '"Why"'));
  expect(setValue(byHand, ['list', 0], { a: 1 })).toBe(
    byHand.replace('[ 1,', '[ {"a" : 1},').replace('"a" : 1', '"a": 1'),
  );
});

test('a new value is laid out as those beside it', () => {
  expect(insertElement(byHand, ['choices'], 1, { value: 'z', label: 'Z' })).toBe(
    byHand.replace(
      '"X"},',
      '"X"},\n        {\n            "value": "z",\n            "label": "Z"\n        },',
    ),
  );
  expect(insertElement(byHand, ['list'], 2, 3)).toBe(byHand.replace('2 ]', '2,  3 ]'));
  expect(setValue(byHand, ['empty', 'x'], 1)).toBe(byHand.replace('{}', '{\n        "x" : 1\n    }'));
  expect(setValue('{"a":[]}', ['a', 0], { b: [1, 2] })).toBe('{"a":[{"b":[1,2]}]}');
  expect(setValue('{"a": 1}', ['b'], { c: [1, 2] })).toBe('{"a": 1, "b": {"c": [1, 2]}}');
  expect(setValue('{\r\n\t"a": 1\r\n}', ['b'], [1])).toBe('{\r\n\t"a": 1,\r\n\t"b": [\r\n\t\t1\r\n\t]\r\n}');
});

test('a new member comes before those that follow it in the usual order', () => {
  const order = ['id', 'text', 'next'];
  expect(setValue('{"id": 1, "next": 2}', ['text'], 3, { order })).toBe('{"id": 1, "text": 3, "next": 2}');
  expect(setValue('{"id": 1, "next": 2}', ['other'], 3, { order })).toBe('{"id": 1, "next": 2, "other": 3}');
});

test('a removed value takes its comma with it', () => {
  expect(removeValue(byHand, ['choices', 0])).toBe(
    byHand.replace('{"value": "x", "label": "X"},\n        ', ''),
  );
  expect(removeValue(byHand, ['last'])).toBe(byHand.replace(', "last": "é\\u00e9"', ''));
  expect(removeValue('{"a": {"b": 1}}', ['a', 'b'])).toBe('{"a": {}}');
});

test('a moved element keeps its own text, and what is between the elements stays', () => {
  expect(moveElement('[ 1.0,\n "b" , {"c":  1}]', [], 2, 0)).toBe('[ {"c":  1},\n 1.0 , "b"]');
});

test('a text that is not JSON stays as it is', () => {
  for (const text of ['', '{"a": ', '{"a": 1,}', '{/* no */"a": 1}']) {
    expect(setValue(text, ['a'], 2)).toBe(text);
    expect(removeValue(text, ['a'])).toBe(text);
    expect(insertElement(text, ['a'], 0, 2)).toBe(text);
    expect(elementSpans(text, ['a'])).toEqual([]);
  }
});

const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3, withCrossShrink: true }, leaf, tie('object'), tie('array')),
  object: fc.dictionary(
    fc.string({ minLength: 1, maxLength: 3 }).filter((name) => name !== '__proto__'),
    tie('value'),
    { maxKeys: 4 },
  ),
  array: fc.array(tie('value'), { maxLength: 4 }),
}));
const layout = fc.constantFrom<(value: unknown) => string>(
  (value) => JSON.stringify(value),
  (value) => JSON.stringify(value, undefined, 2),
  (value) => `${JSON.stringify(value, undefined, '\t').replaceAll('\n', '\r\n')}\r\n`,
  (value) => JSON.stringify(value, undefined, 1).replaceAll(/\n */g, ' '),
);

/** Returns the paths of all values. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...entries.flatMap(([name, one]) => pathsOf(one, [...path, name]))];
}

type Parent = Record<string | number, unknown> & unknown[];

/** The same change of the parsed value. */
function changed(
  root: unknown,
  path: Path,
  change: (parent: Parent, name: string & number) => void,
): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(root));
  const parent = path.slice(0, -1).reduce((value, name) => (value as Parent)[name as number], copy);
  change(parent as Parent, path.at(-1) as string & number);
  return copy;
}

const model = fc.record({ key: fc.string(), steps: fc.array(json, { maxLength: 5 }), more: json });

test('an edit of the text is the same edit of its value, in any layout', () => {
  fc.assert(
    fc.property(model, layout, fc.nat(), json, fc.nat(), fc.nat(), (value, write, at, other, from, to) => {
      const text = write(value);
      const paths = pathsOf(value).slice(1);
      const path = paths[at % paths.length] ?? [];
      expect(JSON.parse(setValue(text, path, other))).toEqual(
        changed(value, path, (parent, name) => (parent[name] = other)),
      );
      const removed = changed(value, path, (parent, name) =>
        Array.isArray(parent) ? parent.splice(name, 1) : delete parent[name],
      );
      expect(JSON.parse(removeValue(text, path))).toEqual(removed);
      const { length } = value.steps;
      const index = at % (length + 1);
      expect(JSON.parse(insertElement(text, ['steps'], index, other)).steps).toEqual(
        value.steps.toSpliced(index, 0, other as never),
      );
      expect(JSON.parse(setValue(text, ['added', 'inside'], other))).toEqual({
        ...value,
        added: { inside: other },
      });
      if (length === 0) return;
      const [begin, end] = [from % length, to % length];
      const moved = value.steps.toSpliced(begin, 1).toSpliced(end, 0, value.steps[begin] as never);
      expect(JSON.parse(moveElement(text, ['steps'], begin, end)).steps).toEqual(moved);
    }),
  );
});

test('an edit leaves the bytes before and behind the value as they are', () => {
  fc.assert(
    fc.property(model, layout, fc.nat(), json, (value, write, at, other) => {
      const text = write(value);
      if (value.steps.length === 0) return;
      const index = at % value.steps.length;
      const span = elementSpans(text, ['steps'])[index] ?? { from: 0, to: 0 };
      const next = setValue(text, ['steps', index], other);
      expect(next.startsWith(text.slice(0, span.from))).toBe(true);
      expect(next.endsWith(text.slice(span.to))).toBe(true);
    }),
  );
});
