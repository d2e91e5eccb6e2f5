import { describe, expect, test } from 'vitest';
import type { Answer } from '../engine/engine.ts';
import { answer, beginConversation } from '../engine/engine.ts';
import type { Input } from '../questions/types.ts';
import { type Script, simulate } from '../replay/simulate.ts';
import { localText } from '../text/template.ts';
import { placeholderFault, translationTable } from '../translations/table.ts';
import { type BotDefinition, validateDefinition } from '../validation/definition.ts';
import { templateIds, templateLocales, templateOf } from './templates.ts';

function definitionOf(id: string, locale: 'en' | 'de'): BotDefinition {
  const result = validateDefinition(templateOf(id, locale)?.definition);
  if ('faults' in result) throw new Error(JSON.stringify(result.faults));
  expect(result.warnings).toEqual([]);
  return result.definition;
}

interface Run {
  answers: unknown[];
  evaluation: Record<string, string>;
  /** How the last text begins, in English and German. */
  ends: [string, string];
}

const at = 'ada@example.com';

/** Conversations as customers have them. An answer that is undefined skips its question. */
const runs: Record<string, Run[]> = {
  nps: [
    {
      answers: [10, 'It just works'],
      evaluation: { nps_segment: 'promoter' },
      ends: ['Thank you for your', 'Danke für Ihre'],
    },
    {
      answers: [7, undefined],
      evaluation: { nps_segment: 'passive' },
      ends: ['Thank you for your', 'Danke für Ihre'],
    },
    {
      answers: [2, 'Late', true, at],
      evaluation: { nps_segment: 'detractor', contact_email: at },
      ends: ['Thank you! Someone', 'Danke! Jemand'],
    },
  ],
  csat: [
    {
      answers: [5, 'Kind people'],
      evaluation: { csat: '5', comment: 'Kind people' },
      ends: ['Thank you! Your', 'Danke! Ihre'],
    },
    {
      answers: [2, 'speed', 'Slow', true, at],
      evaluation: { improve: 'speed', contact_ok: 'yes' },
      ends: ['Thank you! We', 'Danke! Wir'],
    },
  ],
  ces: [
    { answers: [6], evaluation: { effort: 'low' }, ends: ['Good to hear', 'Schön zu'] },
    {
      answers: [2, ['steps', 'wait'], undefined],
      evaluation: { effort: 'high', obstacle: 'steps,wait' },
      ends: ['Thank you. We', 'Danke. Wir'],
    },
  ],
  churn: [
    {
      answers: ['price', '10', 'competitor', 'Kettle', 'maybe', true, at],
      evaluation: { churn_reason: 'price', competitor: 'Kettle', would_return: 'maybe' },
      ends: ['Thank you! We', 'Danke! Wir'],
    },
    {
      answers: ['need', 'no'],
      evaluation: { would_return: 'no' },
      ends: ['Thank you for your honest', 'Danke für Ihre ehrlichen'],
    },
  ],
  onboarding: [
    {
      answers: ['lead', 'time', true, 5],
      evaluation: { setup: '5', experience: 'yes' },
      ends: ['Thank you, and', 'Danke, und'],
    },
    {
      answers: ['support', 'try', false, 2, 'Import', 'call', at],
      evaluation: { help: 'call', blocker: 'Import' },
      ends: ['Thank you! We', 'Danke! Wir'],
    },
  ],
  'product-feedback': [
    {
      answers: ['idea', 'Dark mode', 4, 'very', false],
      evaluation: { importance: '4', disappointment: 'very' },
      ends: ['Thank you! We read', 'Danke! Wir lesen'],
    },
    {
      answers: ['problem', 'It froze', 'blocked', 'not', true, at],
      evaluation: { severity: 'blocked' },
      ends: ['Thank you! We may', 'Danke! Wir melden'],
    },
  ],
  appointment: [
    {
      answers: ['first', '2026-01-20', 'noon', 'email', at, undefined, true],
      evaluation: { day: '2026-01-20', status: 'requested' },
      ends: ['Thank you! Our team', 'Danke! Unser Team'],
    },
    {
      answers: ['other', 'My tax return', '2026-01-20', 'noon', 'email', at, undefined, true],
      evaluation: { reason: 'other', reason_detail: 'My tax return' },
      ends: ['Thank you! Our team', 'Danke! Unser Team'],
    },
    {
      answers: ['advice', '2026-01-20', 'noon', 'phone', '+49 30 123456', 'Ramp', false],
      evaluation: { status: 'dropped' },
      ends: ['All right', 'In Ordnung'],
    },
  ],
  'event-registration': [
    {
      answers: [true, 'Ada', at, 1, ['talks', 'dinner'], 'vegan', undefined],
      evaluation: { guests: '1', diet: 'vegan' },
      ends: ['You are registered, Ada', 'Sie sind angemeldet, Ada'],
    },
    {
      answers: [true, 'Ada', at, 0, ['dinner'], 'other', 'No nuts', undefined],
      evaluation: { diet: 'other', diet_detail: 'No nuts' },
      ends: ['You are registered, Ada', 'Sie sind angemeldet, Ada'],
    },
    {
      answers: [false, 'date'],
      evaluation: { attending: 'no', decline_reason: 'date' },
      ends: ['What a pity', 'Schade'],
    },
  ],
  'candidate-screening': [
    {
      answers: [true, 5, ['planning', 'teamwork', 'numbers'], 'now', undefined, 'The team'],
      evaluation: { screening_score: '5', screening_result: 'pass' },
      ends: ['That is all', 'Das war alles'],
    },
    {
      answers: [false],
      evaluation: { screening_result: 'reject' },
      ends: ['Thank you for telling', 'Danke für Ihre Offenheit'],
    },
  ],
  'support-triage': [
    {
      answers: ['fault', 'blocked', 'all', 'Error 7', 'A restart', at],
      evaluation: { priority: 'urgent' },
      ends: ['Thank you. We will look', 'Danke. Wir sehen'],
    },
    {
      answers: ['billing', 'Twice', at],
      evaluation: { priority: 'normal' },
      ends: ['Thank you! We will', 'Danke! Wir schreiben'],
    },
  ],
  'lead-qualification': [
    {
      answers: ['new', 'large', 'now', 'yes', 'me', at, undefined],
      evaluation: { lead_score: '6', lead_class: 'hot' },
      ends: ['Thank you! We will write', 'Danke! Wir schreiben'],
    },
    {
      answers: ['grow', 'small', 'later', 'no', 'others', at, undefined],
      evaluation: { lead_score: '0', lead_class: 'cold' },
      ends: ['Thank you! We will send', 'Danke! Wir schicken'],
    },
    { answers: ['look'], evaluation: { lead_class: 'cold' }, ends: ['Have a good', 'Sehen Sie'] },
  ],
  'feedback-360': [
    {
      answers: ['peer', 4, 5, undefined, 3, 'Say no', undefined, 'Help'],
      evaluation: { relationship: 'peer', start: 'Say no' },
      ends: ['Thank you! Your answers', 'Danke! Ihre Antworten'],
    },
    {
      answers: ['self', 4, 5, 5, 3, 4, undefined, undefined, undefined],
      evaluation: { leadership: '4' },
      ends: ['Thank you! Your own', 'Danke! Ihre eigene'],
    },
  ],
};

test('there are the templates of twelve trades, each with its conversations', () => {
  expect(templateIds).toHaveLength(12);
  expect(templateIds.toSorted()).toEqual(Object.keys(runs).toSorted());
  expect(templateOf('none', 'en')).toBeUndefined();
});

describe.each(templateLocales)('in %s', (locale) => {
  test.each(templateIds)('%s runs to its ends', (id) => {
    const definition = definitionOf(id, locale);
    for (const { answers, evaluation, ends } of runs[id] ?? []) {
      const script: Script = {
        answers: answers.map((value) => (value === undefined ? { skip: true } : { value }) as Answer),
      };
      const conversation = simulate(definition, script);
      expect(conversation).toMatchObject({ ended: true, rejected: [], unused: 0, evaluation });
      const last = conversation.transcript.at(-1)?.body ?? '';
      expect(last.slice(0, ends[0].length + ends[1].length)).toContain(ends[locale === 'en' ? 0 : 1]);
    }
  });

  test.each(templateIds)(
    '%s asks every question and reaches every end, with whatever customers answer',
    (id) => {
      const definition = definitionOf(id, locale);
      const conversations = Array.from({ length: 150 }, (_, seed) => converse(definition, seed));
      const asked = new Set(conversations.flatMap(({ questions }) => questions));
      const lasts = conversations.map(({ last }) => last);
      for (const step of definition.steps) {
        if (step.kind === 'ask') expect([...asked]).toContain(step.id);
        if (step.kind !== 'end') continue;
        const text = localText(step.text ?? '', locale, 'en');
        expect(lasts).toContainEqual(expect.stringContaining(text.split('{{')[0] ?? ''));
      }
    },
  );
});

test.each(templateIds)('%s has its name, its description and all its words in both languages', (id) => {
  const [english, german] = templateLocales.map((locale) => templateOf(id, locale));
  expect(german?.name).toBeTruthy();
  expect(german?.description).not.toBe(english?.description);
  expect(german?.definition).toMatchObject({ key: id, locale: 'de', name: german?.name });
  const plain: string[] = [];
  const visit = (value: unknown, name = ''): void => {
    if (typeof value === 'string' && ['text', 'label', 'low', 'high', 'yes', 'no'].includes(name))
      plain.push(value);
    if (typeof value !== 'object' || value === null) return;
    if ('en' in value) return expect(Object.keys(value)).toEqual([...templateLocales]);
    for (const [key, inner] of Object.entries(value)) visit(inner, key);
  };
  visit(german?.definition['steps']);
  expect(plain).toEqual([]);
  // Yes and no without labels are English.
  const unlabelled = definitionOf(id, 'de').steps.filter(
    (step) => step.kind === 'ask' && step.input.type === 'yesNo' && step.input.labels === undefined,
  );
  expect(unlabelled).toEqual([]);
});

test.each(templateIds)('%s names the same values in both languages', (id) => {
  const { rows } = translationTable(templateOf(id, 'en')?.definition);
  const differing = rows.filter(
    ({ source, wordings }) => placeholderFault(source, wordings['de']?.text ?? '') !== undefined,
  );
  expect(differing).toEqual([]);
});

/** Answers a conversation by a seed, to its end. Returns its questions and its last text. */
function converse(definition: BotDefinition, seed: number): { questions: string[]; last: string } {
  let state = seed * 2_654_435_761;
  const pick = (count: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * count);
  };
  const now = 1_767_225_600;
  const context =
    seed % 2 === 0 ? {} : Object.fromEntries((definition.context ?? []).map(({ name }) => [name, 'x']));
  const locale = definition.locale ?? 'en';
  let turn = beginConversation(definition, { customer: { id: 'c' }, context, now, hasModel: false, locale });
  for (let turns = 0; turn.input && turns < 50; turns += 1) {
    const { stepId } = turn.input;
    const given = answerTo(turn.input, pick);
    const next = answer(definition, turn.state, { stepId, answer: given, now, hasModel: false });
    if ('rejected' in next) throw new Error(`${stepId}: ${next.rejected.detail}`);
    turn = next;
  }
  expect(turn.ended).toBe(true);
  const questions = (turn.state.steps ?? []).map(({ id }) => id);
  return { questions, last: turn.entries.at(-1)?.body ?? '' };
}

function answerTo(input: Input, pick: (count: number) => number): Answer {
  if (!input.required && pick(3) === 0) return { skip: true };
  const values = (input.choices ?? []).map(({ value }) => value);
  const low = input.min === undefined ? 1 : Number(input.min);
  const of: Record<string, () => unknown> = {
    choice: () => values[pick(values.length)],
    multiChoice: () => values.slice(0, 1 + pick(values.length)),
    yesNo: () => pick(2) === 0,
    nps: () => pick(11),
    rating: () => 1 + pick(Number(input.max)),
    number: () => low + pick(Math.min(6, Number(input.max) - low + 1)),
    date: () => '2026-01-15',
    email: () => at,
    phone: () => '+49 30 123456',
  };
  return { value: of[input.type]?.() ?? 'Words' };
}
