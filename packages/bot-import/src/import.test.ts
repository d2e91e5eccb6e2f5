import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import formbricksQuestions from '../fixtures/formbricks-questions.json' with { type: 'json' };
import formbricks from '../fixtures/formbricks.json' with { type: 'json' };
import typebot from '../fixtures/typebot.json' with { type: 'json' };
import typeform from '../fixtures/typeform.json' with { type: 'json' };
import { walk } from '../tests/walk.ts';
import { type Imported, importBot } from './import.ts';
import { entryWords } from './report/words.ts';

const files = { typebot, typeform, formbricks, 'formbricks-questions': formbricksQuestions };
const all = Object.entries(files) as [name: string, file: object][];

function imported(file: unknown): Imported {
  const made = importBot(file);
  if (made === undefined) throw new Error('it is of no product');
  return made;
}

/** Returns the pointers of all values in a file that are no list and no object, and say something. */
function leavesOf(value: unknown, pointer = ''): [pointer: string, value: unknown][] {
  if (value === null || value === '') return [];
  if (typeof value !== 'object') return [[pointer, value]];
  return Object.entries(value).flatMap(([name, one]) => leavesOf(one, `${pointer}/${name}`));
}

function objectsIn(value: unknown, pointer = ''): [pointer: string, object: Record<string, unknown>][] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([name, one]) => objectsIn(one, `${pointer}/${name}`));
  return Array.isArray(value) ? inside : [[pointer, value as Record<string, unknown>], ...inside];
}

/** Values with which some of the files decide. */
const contexts: Record<string, string>[] = [
  {},
  { ticket: 'speaker' },
  { utm_campaign: 'spring', plan: 'free' },
];

const isAt = (place: string, pointer: string) => pointer === place || pointer.startsWith(`${place}/`);

describe.each(all)('%s', (name, file) => {
  const { format, definition, faults, report } = imported(file);

  test('is recognised, and becomes a bot that can be published', () => {
    expect(name.startsWith(format)).toBe(true);
    expect(faults).toEqual([]);
  });

  test('each value is in the report, at its place or around it', () => {
    const places = report.map(({ pointer }) => pointer);
    const missing = leavesOf(file).filter(([pointer]) => !places.some((place) => isAt(place, pointer)));
    expect(missing).toEqual([]);
  });

  test('each place of the report exists in the file, and each step in the bot', () => {
    const ids = new Set(definition.steps.map(({ id }) => id));
    for (const entry of report) {
      const at = entry.pointer.split('/').slice(1);
      const found = at.reduce((inside: unknown, one) => Object(inside)[one], file);
      expect(found, entry.pointer).not.toBe(undefined);
      if (entry.stepId !== undefined) expect(ids).toContain(entry.stepId);
      for (const language of ['en', 'de'] as const)
        expect(entryWords({ ...entry, values: { ...entry.values, address: 'A' } }, language)).not.toMatch(
          /\{\w+\}|undefined/,
        );
    }
  });

  test('what customers read is in the bot, unless the report names its place', () => {
    const texts = JSON.stringify(definition).toLowerCase();
    const named = report.filter(({ outcome }) => outcome !== 'converted').map(({ pointer }) => pointer);
    const shown = /(title|headline|subheader|label|content|text|description)(\/[a-z-]+)?$/i;
    const words = leavesOf(file).filter(
      ([pointer, value]) =>
        typeof value === 'string' && shown.test(pointer) && !named.some((one) => isAt(one, pointer)),
    );
    // Without references, markup and the sign of an anchor, which have another form.
    const parts = words.flatMap(([, value]) =>
      String(value).split(/\{\{[^}]*\}\}|#recall:[^#]*#|<[^>]*>|[*_\n"]/),
    );
    const missing = parts
      .map((part) => part.trim())
      .filter((part) => part.length > 3 && !texts.includes(part.toLowerCase()));
    expect(missing).toEqual([]);
  });

  test('whatever is added to the file is named, and changes nothing else', () => {
    const objects = objectsIn(file);
    const unknown = fc.oneof(
      fc.constant('words'),
      fc.constant(7),
      fc.constant({ a: { b: 'deep' } }),
      fc.constant([{ x: 1 }]),
    );
    fc.assert(
      fc.property(fc.nat(objects.length - 1), unknown, (index, value) => {
        const [pointer] = objects[index] ?? [''];
        const copy = structuredClone(file);
        const target = pointer
          .split('/')
          .slice(1)
          .reduce((inside: object, one) => Object(inside)[one], copy);
        Object.assign(target, { neverSeen: value });
        const made = imported(copy);
        const places = made.report.filter(({ outcome }) => outcome === 'dropped' || outcome === 'ignored');
        const added = `${pointer}/neverSeen`;
        // Texts in several languages take each of their members for a language.
        if (/"neverSeen":"?(words)/.test(JSON.stringify(made.definition))) return;
        const isRead = made.report.some((one) => one.pointer === added);
        expect(isRead || places.some((one) => isAt(one.pointer, added)), added).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  test('a value of another type is named, and nothing fails', () => {
    const leaves = leavesOf(file);
    const other = fc.oneof(
      fc.constant(null),
      fc.constant(true),
      fc.constant(3.5),
      fc.constant(['zebra']),
      fc.constant({ y: 'zebra' }),
    );
    fc.assert(
      fc.property(fc.nat(leaves.length - 1), other, (index, value) => {
        const [pointer = ''] = leaves[index] ?? [];
        const copy = structuredClone(file);
        const path = pointer.split('/').slice(1);
        const target = path.slice(0, -1).reduce((inside: object, one) => Object(inside)[one], copy);
        Object.assign(target, { [path.at(-1) ?? '']: value });
        const made = importBot(copy);
        if (made === undefined || typeof value !== 'object' || value === null) return;
        const inside = `${pointer}/${Array.isArray(value) ? '0' : 'y'}`;
        const isKnown = made.report.some(
          ({ outcome, pointer: at }) => outcome !== 'converted' && isAt(at, inside),
        );
        expect(isKnown || JSON.stringify(made.definition).includes('zebra'), inside).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  test('every conversation ends, and every question and every end is come to', () => {
    const met = new Set<string | null>();
    for (let pick = 0; pick < 200; pick += 1) {
      const { asked, end } = walk(
        definition,
        {},
        { pick: pick * 7919, context: contexts[pick % contexts.length] ?? {} },
      );
      for (const id of [...asked, end]) met.add(id);
    }
    const ids = definition.steps.flatMap(({ id, kind }) => (kind === 'ask' || kind === 'end' ? [id] : []));
    expect(ids.filter((id) => !met.has(id))).toEqual([]);
  });
});

test('what nobody comes to is not converted, with the words of its questions', () => {
  const asks = (id: string, words: string) => ({
    id,
    title: id,
    blocks: [
      { id: `${id}-text`, groupId: id, type: 'text', content: { plainText: words } },
      { id: `${id}-input`, groupId: id, type: 'text input' },
      { id: `${id}-jump`, type: 'Jump', options: { groupId: 'first' } },
    ],
  });
  const second = asks('second', 'And why?');
  const file = {
    name: 'Loop',
    events: [{ id: 'start', type: 'start', outgoingEdgeId: 'e1' }],
    groups: [asks('first', 'Who?'), { ...second, blocks: second.blocks.slice(0, 2) }],
    edges: [
      { id: 'e1', from: { eventId: 'start' }, to: { groupId: 'first' } },
      { id: 'e2', from: { blockId: 'first-jump' }, to: { groupId: 'second' } },
    ],
    variables: [],
  };
  Object.assign(file.groups[0]?.blocks[2] ?? {}, { outgoingEdgeId: 'e2' });
  const { definition, report } = imported(file);
  expect(JSON.stringify(definition)).not.toContain('And why?');
  const at = (pointer: string) =>
    report.flatMap((entry) => (entry.pointer === pointer ? [entry.outcome, entry.detail] : []));
  expect(at('/groups/1/blocks/0')).toEqual(['dropped', 'unreached']);
  expect(at('/groups/1/blocks/1')).toEqual(['dropped', 'unreached']);
  expect(at('/groups/0/blocks/0')).toEqual(['converted', 'asked']);
  expect(at('/groups/0/blocks/0/groupId')).toEqual(['ignored', 'ignored']);
});

test('a value that came from a script or an integration is named as one to pass', () => {
  const file = {
    version: '6',
    name: 'Given',
    events: [{ id: 'start', type: 'start', outgoingEdgeId: 'e1' }],
    groups: [
      {
        id: 'g1',
        title: 'G',
        blocks: [
          { id: 'b1', type: 'Script', options: { content: "setVariable('Total', 3)" } },
          {
            id: 'b2',
            type: 'Webhook',
            options: {
              variablesForTest: [{ id: 't', variableId: 'v3', value: 'x' }],
              responseVariableMapping: [{ id: 'r', variableId: 'v2', bodyPath: 'data.city' }],
            },
          },
          { id: 'b3', type: 'file input', options: { variableId: 'v4' } },
          { id: 'b4', type: 'text', content: { plainText: '{{Total}} {{City}} {{utm}}' } },
        ],
      },
    ],
    edges: [{ id: 'e1', from: { eventId: 'start' }, to: { groupId: 'g1' } }],
    variables: ['Total', 'City', 'utm', 'CV'].map((name, index) => ({ id: `v${index + 1}`, name })),
  };
  const { definition, report } = imported(file);
  expect(definition.context?.map(({ name }) => name)).toEqual(['Total', 'City', 'utm', 'CV']);
  const said = report.flatMap(({ outcome, pointer, values }) =>
    pointer.startsWith('/variables/') ? [[outcome, values['block']]] : [],
  );
  expect(said).toEqual([
    ['changed', 'Script'],
    ['changed', 'Webhook'],
    ['converted', undefined],
    ['changed', 'file input'],
  ]);
});

test('a file of another product, and one that is no object, is not imported', () => {
  for (const value of [null, 3, 'x', [], {}, { fields: 'no' }, { steps: [] }])
    expect(importBot(value)).toBe(undefined);
  expect(importBot(typeform, { format: 'typebot' })).toBe(undefined);
});

test('the key and the name of the bot can be given', () => {
  const made = importBot(typeform, { key: 'conference', name: 'Our day' });
  expect(made?.definition).toMatchObject({ key: 'conference', name: 'Our day' });
  expect(importBot(typeform)?.definition).toMatchObject({
    key: 'conference-feedback',
    name: 'Conference feedback',
  });
});
