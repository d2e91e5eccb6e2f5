import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import {
  type Browser,
  messageTo,
  openBrowser,
  type Said,
  type Snapshot,
} from '../conversations/conversation.ts';

// Contract, section 7: the answers that each type of question accepts, as a value and in words, and its fields for the
// browser.

const { baseUrl } = inject('local');
const choices = [
  { value: 'red', label: 'Deep red' },
  { value: 'blue', label: 'Blue, or so' },
  { value: 'none', label: 'No colour' },
];

interface Kind {
  input: Record<string, unknown>;
  /** The fields for the browser besides `stepId`, `type` and `required`. */
  shown: object;
  /** Valid answers, with their text in the evaluation. */
  taken: [Said, string][];
  /** Invalid values. */
  refused: unknown[];
}

const kinds: Kind[] = [
  {
    input: { type: 'text', minLength: 2, maxLength: 10 },
    shown: { minLength: 2, maxLength: 10 },
    taken: [
      [{ value: '  two words ' }, 'two words'],
      [{ text: 'ok' }, 'ok'],
    ],
    refused: ['x', 'x'.repeat(11), '', '   ', 5, null, true, ['ok']],
  },
  {
    input: { type: 'longText' },
    shown: { maxLength: 4000 },
    taken: [
      [{ value: 'one\ntwo' }, 'one\ntwo'],
      [{ text: 'x'.repeat(4000) }, 'x'.repeat(4000)],
    ],
    refused: ['', 'x'.repeat(4001), 5],
  },
  {
    input: { type: 'email' },
    shown: {},
    taken: [
      [{ value: 'Anna@Example.COM' }, 'Anna@example.com'],
      [{ text: ' a.b+c@x.example.org ' }, 'a.b+c@x.example.org'],
    ],
    refused: ['anna', 'anna@', '@example.com', 'a b@example.com', 5],
  },
  {
    input: { type: 'phone' },
    shown: {},
    taken: [
      [{ value: '+44 20 7946 0000' }, '+442079460000'],
      [{ text: '020-7946 0000' }, '02079460000'],
    ],
    refused: ['123', 'call me', '+', 442079460000],
  },
  {
    input: { type: 'url' },
    shown: {},
    taken: [
      [{ value: 'https://example.com/a?b=c' }, 'https://example.com/a?b=c'],
      [{ text: 'example.com' }, 'https://example.com/'],
    ],
    refused: ['nothing', 'javascript:alert(1)', 'ftp://example.com', 'https://', 5],
  },
  {
    input: { type: 'choice', choices },
    shown: { choices },
    taken: [
      [{ value: 'red' }, 'red'],
      [{ text: 'deep RED' }, 'red'],
      [{ text: 'blue, or so' }, 'blue'],
    ],
    refused: ['green', 'Deep red', 0, ['red'], null],
  },
  {
    input: { type: 'multiChoice', choices, minSelections: 1, maxSelections: 2 },
    shown: { choices, minSelections: 1, maxSelections: 2 },
    taken: [
      [{ value: ['blue', 'red'] }, 'red,blue'],
      [{ value: ['none'] }, 'none'],
      [{ text: 'no colour, deep red' }, 'red,none'],
    ],
    refused: [[], ['red', 'blue', 'none'], ['red', 'red'], ['green'], 'red', [1], { 0: 'red' }],
  },
  {
    input: { type: 'choice', choices, other: { label: 'Else', maxLength: 9 } },
    shown: { choices, other: { label: 'Else', maxLength: 9 } },
    taken: [
      [{ value: { other: ' mauve ' } }, 'mauve'],
      [{ value: 'red' }, 'red'],
      [{ text: 'mauve' }, 'mauve'],
    ],
    refused: ['other', { other: '' }, { other: 'ten letter' }, { other: 5 }, { other: 'a', more: 'b' }, {}],
  },
  {
    input: {
      type: 'multiChoice',
      choices: [...choices, { value: 'all', label: 'All of these', exclusive: true }],
      other: { label: 'Else' },
    },
    shown: {
      choices: [...choices, { value: 'all', label: 'All of these', exclusive: true }],
      minSelections: 1,
      maxSelections: 5,
      other: { label: 'Else', maxLength: 250 },
    },
    taken: [
      [{ value: [{ other: 'mauve, pink' }, 'red'] }, 'red,mauve, pink'],
      [{ value: ['all'] }, 'all'],
      [{ text: 'deep red, mauve' }, 'red,mauve'],
    ],
    refused: [['all', 'red'], ['all', { other: 'a' }], [{ other: 'a' }, { other: 'b' }], [{ other: ' ' }]],
  },
  {
    input: { type: 'ranking', choices, rankMax: 2 },
    shown: { choices, rankMax: 2 },
    taken: [
      [{ value: ['blue', 'red'] }, 'blue, red'],
      [{ text: 'blue none' }, 'blue, none'],
      [{ text: 'first none' }, 'none, red'],
    ],
    refused: [['blue'], ['blue', 'red', 'none'], ['red', 'red'], ['green', 'red'], 'red', { 0: 'red' }, null],
  },
  {
    input: { type: 'matrix', rows: choices.slice(0, 2), columns: choices },
    shown: { rows: choices.slice(0, 2), columns: choices, rowsRequired: true },
    taken: [
      [{ value: { blue: 'none', red: 'blue' } }, 'red: blue; blue: none'],
      [{ text: 'deep red: blue; blue: no colour' }, 'red: blue; blue: none'],
      [{ text: 'blue\nno colour' }, 'red: blue; blue: none'],
    ],
    refused: [
      { red: 'blue' },
      {},
      { red: 'blue', blue: 'green' },
      { red: 'blue', none: 'red' },
      ['blue', 'red'],
      'blue',
    ],
  },
  {
    input: { type: 'consent', label: 'I agree', url: 'https://example.com/terms' },
    shown: { label: 'I agree', url: 'https://example.com/terms' },
    taken: [
      [{ value: true }, 'yes'],
      [{ text: 'I agree' }, 'yes'],
    ],
    refused: [false, 'yes', 1, null, { accepted: true }],
  },
  {
    input: { type: 'nps', labels: { low: 'No', high: 'Yes' } },
    shown: { min: 0, max: 10, labels: { low: 'No', high: 'Yes' } },
    taken: [
      [{ value: 0 }, '0'],
      [{ value: 10 }, '10'],
      [{ text: '7' }, '7'],
    ],
    refused: [-1, 11, 5.5, '5', true, null, [5]],
  },
  {
    input: { type: 'rating', max: 7 },
    shown: { min: 1, max: 7 },
    taken: [
      [{ value: 1 }, '1'],
      [{ text: ' 7 ' }, '7'],
    ],
    refused: [0, 8, 1.5, '3'],
  },
  {
    input: { type: 'number', min: -5, max: 1000 },
    shown: { min: -5, max: 1000 },
    taken: [
      [{ value: -4.25 }, '-4.25'],
      [{ value: 0.0000001 }, '0.0000001'],
      [{ text: '3,5' }, '3.5'],
      [{ text: '1,000' }, '1000'],
    ],
    refused: [-5.1, 1000.5, '5', null, true],
  },
  {
    input: { type: 'number', integer: true },
    shown: {},
    taken: [
      [{ value: 12 }, '12'],
      [{ text: '12' }, '12'],
    ],
    refused: [1.5],
  },
  {
    input: { type: 'yesNo' },
    shown: { labels: { yes: 'Yes', no: 'No' } },
    taken: [
      [{ value: true }, 'yes'],
      [{ value: false }, 'no'],
      [{ text: 'Nope!' }, 'no'],
    ],
    refused: ['yes', 1, 0, null],
  },
  {
    input: { type: 'date', min: '2026-01-01', max: '2030-12-31' },
    shown: { min: '2026-01-01', max: '2030-12-31' },
    taken: [
      [{ value: '2028-02-29' }, '2028-02-29'],
      [{ text: '2027/3/9' }, '2027-03-09'],
    ],
    refused: ['2027-02-29', '2025-12-31', '2031-01-01', '2027-1-1', '27-01-01', 'tomorrow', 20270101],
  },
  {
    input: { type: 'time', min: '08:00', max: '18:30' },
    shown: { min: '08:00', max: '18:30' },
    taken: [
      [{ value: '08:00' }, '08:00'],
      [{ text: '5:15 pm' }, '17:15'],
    ],
    refused: ['07:59', '18:31', '24:00', '8:00', '0800', 'noon', 800],
  },
];

let workspace: TestWorkspace;
let browser: Browser;
const bots = new Map<Kind, string>();

beforeAll(async () => {
  workspace = await createWorkspace(baseUrl, inject('operator'));
  await workspace.api.post('/customers', { id: 'c' });
  browser = await openBrowser(baseUrl, workspace, 'c');
  for (const [index, kind] of kinds.entries()) {
    const ask = { id: 'question', kind: 'ask', text: 'Well?', evaluation: 'answer', input: kind.input };
    const definition = {
      schemaVersion: 1,
      key: `kind-${index}`,
      name: 'Kind',
      type: 'Kind',
      locale: 'en',
      evaluation: { answer: {} },
      steps: [ask, { id: 'end', kind: 'end' }],
    };
    bots.set(kind, await workspace.publish(definition));
  }
});

async function begin(kind: Kind): Promise<{ id: string; snapshot: Snapshot }> {
  const body = { customerId: 'c', botId: bots.get(kind), status: 'Pending' };
  const made = await workspace.api.post<{ id: string }>('/interactions', body);
  return { id: made.body.data.id, snapshot: await browser.start(made.body.data.id) };
}

describe.each(kinds.map((kind) => [JSON.stringify(kind.input), kind] as const))('%s', (_name, kind) => {
  test('has the fields that the browser needs', async () => {
    const { snapshot } = await begin(kind);
    expect(snapshot.input).toEqual({
      stepId: 'question',
      type: kind.input['type'],
      required: true,
      ...kind.shown,
    });
  });

  test('accepts valid answers', async () => {
    for (const [answer, expected] of kind.taken) {
      const { id, snapshot } = await begin(kind);
      const ended = await browser.say(id, snapshot, answer);
      expect(ended.status).toBe('Completed');
      const { body } = await workspace.api.get<{ data: string }>(`/interactions/${id}`);
      const { evaluation } = JSON.parse(body.data.data) as { evaluation: Record<string, string> };
      expect(evaluation).toEqual({ answer: expected });
    }
  });

  test('rejects invalid answers: 422, nothing written', async () => {
    const { id, snapshot } = await begin(kind);
    for (const value of kind.refused) {
      const { status, body } = await browser.send(id, messageTo(snapshot, { value }));
      expect([status, body.code, body.data], JSON.stringify(value)).toEqual([422, 422, null]);
    }
    expect((await browser.look(id)).body.data).toEqual(snapshot);
  });
});
