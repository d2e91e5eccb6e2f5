import { CompletionContext } from '@codemirror/autocomplete';
import { json } from '@codemirror/lang-json';
import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import schema from '../../../../../bot/bot-v1.schema.json' with { type: 'json' };
import { completeBy } from './complete.ts';

/** Returns what is offered where the text has a `|`. */
function offers(text: string, explicit = true): string[] {
  const pos = text.indexOf('|');
  const state = EditorState.create({ doc: text.replace('|', ''), extensions: json() });
  const result = completeBy(() => schema)(new CompletionContext(state, pos, explicit));
  return result?.options.map(({ label }) => label) ?? [];
}

test('an object is offered the properties that it lacks', () => {
  const names = offers('{"schemaVersion": 1, "key": "a", |}');
  expect(names).toEqual(expect.arrayContaining(['"name"', '"steps"', '"type"']));
  expect(names).not.toContain('"key"');
});

test('a step is offered the properties of its kind', () => {
  const names = offers('{"steps": [{"id": "a", "kind": "say", "|"}]}', false);
  expect(names).toEqual(['"when"', '"next"', '"text"', '"translated"']);
});

test('a property is offered its values', () => {
  expect(offers('{"steps": [{"id": "a", "kind": "|"}]}')).toEqual(
    expect.arrayContaining(['"say"', '"ask"', '"end"']),
  );
  expect(offers('{"steps": [{"kind": "ask", "required": |}]}')).toEqual(['true', 'false']);
  expect(offers('{"steps": [{"kind": "ask", "input": {"type": "|"}}]}')).toEqual(
    expect.arrayContaining(['"text"', '"longText"', '"choice"']),
  );
});

test('where a step follows, the ids of the steps are offered', () => {
  const steps = '{"id": "rating", "kind": "say", "next": "|"}, {"id": "thanks", "kind": "end"}';
  expect(offers(`{"steps": [${steps}]}`)).toEqual(['"rating"', '"thanks"']);
  const arms = '{"id": "rating", "kind": "branch", "next": [{"if": "true", "goto": "|"}]}';
  expect(offers(`{"steps": [${arms}]}`)).toEqual(['"rating"']);
});

test('nothing is offered in a text of the author', () => {
  expect(offers('{"steps": [{"kind": "say", "text": "Hello|"}]}', false)).toEqual([]);
});
