import { describe, expect, test } from 'vitest';
import { draft, samples, valid } from '../../tests/definitions.ts';
import type { BotDefinition } from '../validation/definition.ts';
import { type Answer, answer, currentInput, beginConversation, type Turn } from './engine.ts';
import { answerModel } from '../model/model-answer.ts';

const customer = { id: 'c-1', firstName: 'Mia', lastName: 'Lindqvist', email: 'mia@example.com' };
const now = Date.parse('2026-11-21T23:30:00Z') / 1000;
const end = { id: 'end', kind: 'end', text: 'Bye' };

function begin(definition: BotDefinition, context: Record<string, string> = {}, locale?: string): Turn {
  return beginConversation(definition, {
    customer,
    context,
    now,
    ...(locale === undefined ? {} : { locale }),
  });
}

function reply(definition: BotDefinition, { state }: Turn, given: Answer, at = now): Turn {
  const outcome = answer(definition, state, { stepId: state.stepId ?? '', answer: given, now: at });
  if ('rejected' in outcome) throw new Error(outcome.rejected.reason);
  return outcome;
}

function refusal(definition: BotDefinition, { state }: Turn, given: Answer, stepId = state.stepId ?? '') {
  const before = JSON.stringify(state);
  const outcome = answer(definition, state, { stepId, answer: given, now });
  expect(JSON.stringify(state)).toBe(before);
  return 'rejected' in outcome ? outcome.rejected.reason : undefined;
}

const bodies = (turn: Turn) => turn.entries.map(({ body }) => body);

test('a conversation starts with its first entries and waits for the first question', () => {
  const [nps] = samples;
  if (nps === undefined) throw new Error('the sample is missing');
  const turn = begin(nps, { productName: 'Skylark', unknown: 'x' });
  expect(turn).toMatchObject({ progress: 0, evaluation: {}, ended: false });
  expect(turn.entries.map(({ seq, type }) => [seq, type])).toEqual([
    [1, 'bot'],
    [2, 'bot'],
  ]);
  expect(turn.entries[0]?.personal).toEqual([[3, 6]]);
  expect(turn.state.context).toEqual({ productName: 'Skylark' });
  expect(turn.input).toEqual({
    stepId: 'score',
    type: 'nps',
    required: true,
    min: 0,
    max: 10,
    labels: { low: 'Not at all likely', high: 'Extremely likely' },
  });
});

describe('the question as sent to the browser', () => {
  const choices = [
    { value: 'a', label: { en: 'Red', fr: 'Rouge' } },
    { value: 'b', label: 'B' },
  ];
  const shown = [
    { value: 'a', label: 'Rouge' },
    { value: 'b', label: 'B' },
  ];
  test.each<[input: Record<string, unknown>, needs: Record<string, unknown>]>([
    [
      { type: 'text', minLength: 2, pattern: 'x+' },
      { minLength: 2, maxLength: 500 },
    ],
    [{ type: 'longText', maxLength: 9 }, { maxLength: 9 }],
    [{ type: 'choice', choices }, { choices: shown }],
    [
      { type: 'multiChoice', choices },
      { choices: shown, minSelections: 1, maxSelections: 2 },
    ],
    [{ type: 'rating' }, { min: 1, max: 5 }],
    [{ type: 'number', min: 0, integer: true }, { min: 0 }],
    [{ type: 'yesNo' }, { labels: { yes: 'Yes', no: 'No' } }],
    [
      { type: 'yesNo', labels: { yes: { en: 'Yes', fr: 'Oui' }, no: 'No' } },
      { labels: { yes: 'Oui', no: 'No' } },
    ],
    [
      { type: 'date', min: 'today', max: 'today+1' },
      { min: '2026-11-21', max: '2026-11-22' },
    ],
    [{ type: 'time', min: '08:00' }, { min: '08:00' }],
    [{ type: 'phone' }, {}],
  ])('%j', (input, needs) => {
    const definition = valid(draft([{ id: 'q', kind: 'ask', text: '?', input, required: false }, end]));
    const turn = begin(definition, {}, 'fr-CA');
    expect(turn.input).toEqual({ stepId: 'q', type: input['type'], required: false, ...needs });
    expect(currentInput(definition, turn.state)).toEqual(turn.input);
  });

  test('a prefill is a valid value, or absent', () => {
    const asking = (input: object, prefill: string) =>
      begin(
        valid(
          draft([{ id: 'q', kind: 'ask', text: '?', input, prefill }, end], { context: [{ name: 'x' }] }),
        ),
        { x: '7' },
      );
    expect(asking({ type: 'email' }, '{{customer.email}}').input?.prefill).toBe('mia@example.com');
    expect(asking({ type: 'email' }, '{{context.x}}').input).not.toHaveProperty('prefill');
    expect(asking({ type: 'nps' }, '{{context.x}}').input?.prefill).toBe(7);
    expect(asking({ type: 'yesNo' }, 'yes').input?.prefill).toBe(true);
  });

  test('a prefill and an answer in words are parsed in the language of the conversation', () => {
    const gift = { value: 'gift', label: { en: 'Gift', de: 'Geschenk' } };
    const poison = { value: 'poison', label: { en: 'Poison', de: 'Gift' } };
    const definition = valid(
      draft(
        [
          {
            id: 'what',
            kind: 'ask',
            text: '?',
            input: { type: 'choice', choices: [gift, poison] },
            prefill: '{{context.x}}',
          },
          { id: 'many', kind: 'ask', text: '?', input: { type: 'number' }, retry: { text: 'A number?' } },
          end,
        ],
        { context: [{ name: 'x' }] },
      ),
    );
    const turn = begin(definition, { x: 'Gift' }, 'de');
    expect(turn.input?.prefill).toBe('poison');
    expect(begin(definition, { x: 'Gift' }).input?.prefill).toBe('gift');
    const second = reply(definition, turn, { text: 'gift' });
    expect(second.state.answers).toEqual({ what: 'poison' });
    expect(bodies(reply(definition, second, { text: '1.200' }))).toEqual(['1.200', 'A number?']);
    expect(reply(definition, second, { text: '1,200' }).state.answers['many']).toBe(1.2);
  });

  test('a blank text is no answer', () => {
    const definition = valid(
      draft([{ id: 'q', kind: 'ask', text: '?', input: { type: 'text' }, retry: { text: 'Well?' } }, end]),
    );
    for (const given of [{ value: '\u2060' }, { text: '\u3164' }]) {
      expect(refusal(definition, begin(definition), given)).toBe('empty');
    }
  });

  test('the entry of an answer shows whether it was skipped, and its scale', () => {
    const definition = valid(
      draft([
        { id: 'q', kind: 'ask', text: '?', input: { type: 'rating', max: 4 } },
        { id: 'more', kind: 'ask', text: 'More?', input: { type: 'nps' }, required: false },
        end,
      ]),
    );
    const rated = reply(definition, begin(definition), { text: '3' });
    expect(rated.entries[0]).toMatchObject({ body: '3', outOf: 4 });
    expect(rated.entries[1]).not.toHaveProperty('outOf');
    expect(reply(definition, rated, { skip: true }).entries[0]).toMatchObject({ body: '–', skipped: true });
  });

  test('today follows the clock', () => {
    const definition = valid(
      draft([{ id: 'q', kind: 'ask', text: '?', input: { type: 'date', min: 'today' } }, end]),
    );
    const turn = begin(definition);
    expect(currentInput(definition, turn.state)?.min).toBe('2026-11-21');
    expect(currentInput(definition, turn.state, now + 3600)?.min).toBe('2026-11-22');
    expect(bodies(reply(definition, turn, { value: '2026-11-21' }))).toEqual(['2026-11-21', 'Bye']);
    expect(
      answer(definition, turn.state, { stepId: 'q', answer: { value: '2026-11-21' }, now: now + 3600 }),
    ).toEqual({
      rejected: { reason: 'too-early', detail: 'Please choose Nov 22, 2026 or later.' },
    });
  });
});

describe('rejected answers change nothing', () => {
  const definition = valid(draft([{ id: 'q', kind: 'ask', text: '?', input: { type: 'longText' } }, end]));
  const turn = begin(definition);

  test('to another step, after the end, skipped or blank', () => {
    expect(refusal(definition, turn, { value: 'x' }, 'end')).toBe('not-the-question');
    expect(refusal(definition, turn, { skip: true })).toBe('required');
    expect(refusal(definition, turn, { text: ' \n ' })).toBe('empty');
    expect(refusal(definition, turn, { value: 7 })).toBe('not-a-text');
    expect(refusal(definition, turn, { text: 'x'.repeat(4001) })).toBe('too-long');
    expect(refusal(definition, reply(definition, turn, { value: 'x' }), { value: 'x' }, 'q')).toBe('ended');
  });

  test.each([
    '{}',
    '{"skip":false}',
    '{"value":"x","text":"x"}',
    '{"text":7}',
    '{"text":"x","more":1}',
    'null',
  ])('malformed: %s', (json) => {
    expect(refusal(definition, turn, JSON.parse(json))).toBe('malformed');
  });

  test('a state of another definition throws', () => {
    const other = valid(draft([end]));
    expect(() => answer(other, turn.state, { stepId: 'q', answer: { value: 'x' }, now })).toThrow(
      'no question "q"',
    );
    expect(() => currentInput(other, turn.state)).toThrow('no question "q"');
  });
});

describe('free text that matches no answer', () => {
  const asking = (retry?: object) =>
    valid(
      draft(
        [
          {
            id: 'q',
            kind: 'ask',
            text: '?',
            input: { type: 'nps' },
            evaluation: 'score',
            ...(retry && { retry }),
          },
          { id: 'done', kind: 'end', text: 'Thanks' },
        ],
        { evaluation: { score: { pii: true } } },
      ),
    );

  test('is rejected with the reason when the step has no retry', () => {
    const definition = asking();
    expect(refusal(definition, begin(definition), { text: 'ten' })).toBe('not-on-the-scale');
  });

  test('is stored and answered with the retry text, at most max times', () => {
    const definition = asking({ text: 'A number, {{customer.firstName}}?', max: 2 });
    let turn = begin(definition);
    for (const round of [1, 2]) {
      turn = reply(definition, turn, { text: 'ten' });
      expect(bodies(turn)).toEqual(['ten', 'A number, Mia?']);
      expect(turn).toMatchObject({ progress: 0, ended: false, state: { retryCount: round } });
      expect(turn.entries.map(({ personal }) => personal)).toEqual([[[0, 3]], [[10, 13]]]);
      expect(turn.input?.stepId).toBe('q');
    }
    expect(refusal(definition, turn, { text: 'ten' })).toBe('not-on-the-scale');
    expect(refusal(definition, turn, { value: 11 })).toBe('not-on-the-scale');
    expect(reply(definition, turn, { text: '10' })).toMatchObject({
      ended: true,
      evaluation: { score: '10' },
    });
  });

  test('is counted separately for each question, and restarts when one is asked again', () => {
    const retry = { text: 'Again?', max: 1, goto: 'end' };
    const input = { type: 'nps' };
    const definition = valid(
      draft([
        { id: 'a', kind: 'ask', text: 'a?', input, retry },
        {
          id: 'b',
          kind: 'ask',
          text: 'b?',
          input,
          retry,
          next: [{ if: 'answers.b > 5', goto: 'b' }, { else: 'end' }],
        },
        end,
      ]),
    );
    let turn = begin(definition);
    for (const round of ['a', 'b', 'b']) {
      expect(turn.input?.stepId).toBe(round);
      turn = reply(definition, turn, { text: 'x' });
      expect(bodies(turn)).toEqual(['x', 'Again?']);
      turn = reply(definition, turn, { value: 9 });
    }
  });

  test('continues at the given step after the last retry', () => {
    const definition = valid(
      draft([
        {
          id: 'q',
          kind: 'ask',
          text: '?',
          input: { type: 'nps' },
          retry: { text: 'Again?', max: 1, goto: 'lost' },
        },
        { id: 'done', kind: 'end', text: 'Thanks' },
        { id: 'lost', kind: 'end', text: 'Never mind' },
      ]),
    );
    const turn = reply(definition, begin(definition), { text: 'ten' });
    expect(reply(definition, turn, { text: 'eleven' })).toMatchObject({ ended: true, evaluation: {} });
    expect(bodies(reply(definition, turn, { text: 'eleven' }))).toEqual(['eleven', 'Never mind']);
  });
});

describe('paths through the conversation', () => {
  const definition = valid(
    draft(
      [
        { id: 'n', kind: 'ask', text: 'n?', input: { type: 'number' }, required: false, evaluation: 'n' },
        { id: 'note', kind: 'say', text: 'n is {{answers.n|not known}}' },
        { id: 'big', kind: 'say', when: 'answers.n >= 10', text: 'big', next: 'calc' },
        { id: 'small', kind: 'say', when: 'answers.n < 10', text: 'small' },
        {
          id: 'calc',
          kind: 'set',
          evaluation: { half: 'answers.n / 2', place: 'context.place', known: 'has(answers.n)' },
        },
        {
          id: 'more',
          kind: 'ask',
          text: 'more?',
          input: { type: 'yesNo' },
          next: [{ if: 'answers.more', goto: 'n' }, { else: 'end' }],
        },
        end,
      ],
      {
        context: [{ name: 'place', default: 'home' }],
        evaluation: { known: {}, half: {}, n: {}, place: {} },
      },
    ),
  );

  test('a step whose condition fails is skipped, and its next ignored', () => {
    expect(bodies(reply(definition, begin(definition), { value: 12 }))).toEqual([
      '12',
      'n is 12',
      'big',
      'more?',
    ]);
    expect(bodies(reply(definition, begin(definition), { value: 3 }))).toEqual([
      '3',
      'n is 3',
      'small',
      'more?',
    ]);
  });

  test('a skipped question is not known: no condition on it holds, no value from it is set', () => {
    const turn = reply(definition, begin(definition), { skip: true });
    expect(bodies(turn)).toEqual(['–', 'n is not known', 'more?']);
    expect(turn.evaluation).toEqual({ known: 'no', place: 'home' });
  });

  test('a repeated question replaces the answer, and a skip deletes it', () => {
    let turn = reply(definition, begin(definition, { place: 'work' }), { value: 3 });
    expect(turn.evaluation).toEqual({ known: 'yes', half: '1.5', n: '3', place: 'work' });
    expect(Object.keys(turn.evaluation)).toEqual(['known', 'half', 'n', 'place']);
    turn = reply(definition, reply(definition, turn, { value: true }), { skip: true });
    expect(turn.evaluation).toEqual({ known: 'no', place: 'work' });
    expect(reply(definition, turn, { text: 'no' })).toMatchObject({ ended: true, input: null, progress: 1 });
  });

  test('a value that Postgres rejects is stored as the nearest valid one', () => {
    const set = { first: 'context.word.substring(0, 1)', odd: "string(b'a\\000b\\xff')" };
    const written = valid(
      draft([{ id: 'set', kind: 'set', evaluation: set }, end], {
        context: [{ name: 'word' }],
        evaluation: { first: {}, odd: {} },
      }),
    );
    expect(begin(written, { word: '😀b' }).evaluation).toEqual({ first: '😀', odd: 'ab\ufffd' });
  });

  test('the id of an ask step can be a name of the object prototype', () => {
    const odd = valid(
      draft([
        { id: 'constructor', kind: 'ask', text: '?', input: { type: 'nps' }, required: false },
        {
          id: 'end',
          kind: 'end',
          when: 'has(answers.constructor)',
          text: 'You said {{answers.constructor}}',
        },
        { id: 'other', kind: 'end', text: 'Nothing{{answers.constructor}}' },
      ]),
    );
    expect(bodies(reply(odd, begin(odd), { value: 4 }))).toEqual(['4', 'You said 4']);
    expect(bodies(reply(odd, begin(odd), { skip: true }))).toEqual(['–', 'Nothing']);
  });
});

describe('limits', () => {
  test('an endless conversation ends with entry 500, which states it', () => {
    for (const [says, retry] of [
      [0, false],
      [1, false],
      [2, false],
      [3, false],
      [4, false],
      [5, false],
      [0, true],
    ] as const) {
      const definition = valid(
        draft([
          ...Array.from({ length: says }, (_, n) => ({ id: `s${n}`, kind: 'say', text: 'Round' })),
          {
            id: 'q',
            kind: 'ask',
            text: '?',
            input: { type: 'nps' },
            retry: { text: 'Again?', max: 10, goto: 'q' },
            next: [{ if: 'answers.q < 0', goto: 'end' }, { else: says > 0 ? 's0' : 'q' }],
          },
          end,
        ]),
      );
      let turn = begin(definition);
      while (!turn.ended) turn = reply(definition, turn, retry ? { text: 'x' } : { value: 1 });
      expect(turn.state.seq).toBeLessThanOrEqual(500);
      expect(turn.state.seq).toBeGreaterThan(490);
      expect(turn.entries.at(-1)?.body).toBe(
        'This conversation has reached its maximum length and ends here. Thank you!',
      );
    }
  });

  test('a conversation ends before it exceeds 256 KiB, whatever part grows, and states it', () => {
    const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
    const says = Array.from({ length: 98 }, (_, n) => ({
      id: `s${n}`,
      kind: 'say',
      text: '{{context.c}}{{context.c}}',
    }));
    const asks = { id: 'q', kind: 'ask', text: 'And?', input: { type: 'longText' }, evaluation: 'e' };
    const loop = [{ if: 'answers.q == ""', goto: 'end' }, { else: 's' }];
    const sets = Array.from({ length: 99 }, (_, n) => [`k${n}`, 'answers.q']);
    const set = (id: string, some: string[][]) => ({ id, kind: 'set', evaluation: Object.fromEntries(some) });
    const bots = {
      says: draft([...says, end], { context: [{ name: 'c' }] }),
      asks: draft([{ id: 's', kind: 'say', text: 'So.' }, { ...asks, next: loop }, end], {
        evaluation: { e: {} },
      }),
      sets: draft([asks, set('set1', sets.slice(50)), set('set2', sets.slice(0, 50)), end], {
        evaluation: Object.fromEntries([['e', {}], ...sets.map(([key]) => [key, {}])]),
      }),
    };
    for (const [name, bot] of Object.entries(bots)) {
      for (const character of ['x', '\u20ac']) {
        const definition = valid(bot);
        const context = { c: character.repeat(2048) };
        let turn = beginConversation(definition, { customer, context, now });
        const transcript = [...turn.entries];
        while (!turn.ended) {
          turn = reply(definition, turn, { value: character.repeat(4000) });
          transcript.push(...turn.entries);
        }
        const bytes = bytesOf(transcript) + bytesOf({ ...turn.state, context: {} });
        expect(bytes, name).toBeLessThan(256 * 1024);
        expect(bytes, name).toBeGreaterThan(150 * 1024);
        expect(transcript.at(-1)?.body).toContain('maximum length');
      }
    }
  });

  test('results of the model count too, and the closing is in the language of the conversation', () => {
    const names = Array.from({ length: 20 }, (_, n) => `f${n}`);
    const definition = valid(
      draft(
        [
          {
            id: 'find',
            kind: 'llm',
            mode: 'extract',
            prompt: 'Find {{customer.id}}',
            saveAs: 'found',
            fields: Object.fromEntries(names.map((name) => [name, { input: { type: 'longText' } }])),
            evaluation: Object.fromEntries(names.map((name) => [name, name])),
            onError: { goto: 'end' },
          },
          end,
        ],
        { evaluation: Object.fromEntries(names.map((name) => [name, {}])) },
      ),
    );
    const asked = beginConversation(definition, {
      customer,
      context: {},
      now,
      hasModel: true,
      locale: 'de-AT',
    });
    const text = JSON.stringify(Object.fromEntries(names.map((name) => [name, '\u20ac'.repeat(4000)])));
    const turn = answerModel(definition, asked.state, { outcome: { text }, now });
    if ('rejected' in turn) throw new Error(turn.rejected.detail);
    expect(turn.ended).toBe(true);
    expect(turn.entries.at(-1)?.body).toContain('maximale Länge');
    expect(Buffer.byteLength(JSON.stringify(turn.state))).toBeLessThan(256 * 1024);
  });

  test('a body has at most 4000 characters', () => {
    const definition = valid(
      draft([
        { id: 'q', kind: 'ask', text: '?', input: { type: 'longText' }, pii: true },
        { id: 'e', kind: 'end', text: 'You said: {{answers.q}}{{answers.q}}' },
      ]),
    );
    const turn = reply(definition, begin(definition), { value: 'x'.repeat(4000) });
    expect(bodies(turn).map(({ length }) => length)).toEqual([4000, 4000]);
    expect(turn.entries[1]?.personal).toEqual([[10, 3999]]);
  });

  test('a run of 100 steps before a question is completed', () => {
    const says = Array.from({ length: 100 }, (_, n) => ({ id: `s${n}`, kind: 'say', text: 'Hello' }));
    const definition = valid(
      draft([...says, { id: 'q', kind: 'ask', text: '?', input: { type: 'nps' } }, end]),
    );
    expect(begin(definition)).toMatchObject({ ended: false, input: { stepId: 'q' }, state: { seq: 101 } });
  });

  test('a definition that was not validated cannot run for ever', () => {
    const loop = { ...valid(draft([end])), steps: [{ id: 'a', kind: 'say' as const, text: '', next: 'a' }] };
    expect(begin(loop)).toMatchObject({ ended: true, entries: [{ seq: 1 }] });
  });
});

test('an invalid language tag is ignored', () => {
  const definition = valid(draft([end], { locale: 'sv' }));
  expect(begin(definition, {}, 'x'.repeat(1000)).state.locale).toBe('sv');
  expect(begin(definition, {}, 'pt-BR').state.locale).toBe('pt-BR');
});

test('times rise by at least a microsecond, also when the clock stands still or goes back', () => {
  const [nps] = samples;
  if (nps === undefined) throw new Error('the sample is missing');
  const first = begin(nps);
  const second = reply(nps, first, { value: 9 }, now - 100);
  const times = [...first.entries, ...second.entries].map(({ timestamp }) =>
    Math.round((timestamp - now) * 1e6),
  );
  expect(times).toEqual([0, 1, 2, 3, 4]);
  expect(reply(nps, second, { skip: true }, now + 5.25).entries[0]?.timestamp).toBe(now + 5.25);
});
