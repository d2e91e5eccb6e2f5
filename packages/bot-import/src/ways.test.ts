import { describe, expect, test } from 'vitest';
import formbricks from '../fixtures/formbricks.json' with { type: 'json' };
import typebot from '../fixtures/typebot.json' with { type: 'json' };
import typeform from '../fixtures/typeform.json' with { type: 'json' };
import { type Script, walk, type Walked } from '../tests/walk.ts';
import { importBot } from './import.ts';

// The ways of the sources, as their own products take them.

function holding(file: unknown) {
  const made = importBot(file);
  if (made === undefined) throw new Error('it is of no product');
  return (answers: Script, more?: Parameters<typeof walk>[2]): Walked => walk(made.definition, answers, more);
}

describe('Typeform', () => {
  const hold = holding(typeform);
  const here = { name: 'Ada', days: ['tuesday'] };

  test('a jump with "always" is taken, one with a condition only if it holds', () => {
    expect(hold({ name: 'Ada', days: ['only_online'] }).asked).toEqual(['name', 'days']);
    expect(hold({ name: 'Ada', days: ['tuesday', 'only_online'] }).asked).toContain('travel');
  });

  test('a hidden field decides where the form begins', () => {
    const first = (ticket: string) => hold(here, { context: { ticket } }).asked[0];
    expect([first('speaker'), first('guest')]).toEqual(['travel', 'name']);
  });

  test('no is the way past the next question', () => {
    const asksHow = (travel: boolean) => hold({ ...here, travel }).asked.includes('how');
    expect([asksHow(true), asksHow(false)]).toEqual([true, false]);
  });

  test('one of "or" with an "and" in it must hold', () => {
    const skips = (nps: number, speakers: number, food: number) =>
      !hold({ ...here, nps, speakers, food }).asked.includes('why');
    expect([skips(9, 1, 1), skips(5, 4, 2), skips(5, 4, 1), skips(5, 3, 2)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test('points are counted up, shown, and decide where the form ends', () => {
    const quiz = { ...here, rooms: { main_hall: 'fine', workshops: 'poor' } };
    const won = hold({ ...quiz, quiz1: 'a_robot', quiz2: 50 });
    expect(won.said.at(-1)).toMatch(/^Wow, Ada: 2 of 2 points!\nhttps/);
    expect(won.evaluation).toMatchObject({ score: '2', price: '1' });
    const lost = hold({ ...quiz, quiz1: 'a_horse', quiz2: 40 });
    expect(lost.said.at(-1)).toBe('Thank you, Ada!\nYou have 1 points.');
  });

  test('a way to the first field of a group comes to the words of the group, unless it is from inside', () => {
    const jump = (ref: string, to: string, value: boolean) => ({
      type: 'field',
      ref,
      actions: [
        {
          action: 'jump',
          details: { to: { type: 'field', value: to } },
          condition: {
            op: 'is',
            vars: [
              { type: 'field', value: ref },
              { type: 'constant', value },
            ],
          },
        },
      ],
    });
    const yesNo = (ref: string) => ({
      ref,
      type: 'yes_no',
      title: `${ref}?`,
      validations: { required: true },
    });
    const fields = [yesNo('first'), yesNo('second')];
    const walked = holding({
      title: 'Groups',
      fields: [
        yesNo('inside'),
        { ref: 'skipped', type: 'short_text', title: 'Skipped?' },
        { ref: 'about', type: 'group', title: 'All about you', properties: { fields } },
      ],
      logic: [jump('inside', 'first', true), jump('second', 'first', true)],
    });
    const answers = { inside: true, first: true, second: false };
    expect(walked(answers)).toMatchObject({
      asked: ['inside', 'first', 'second'],
      said: ['inside?', 'All about you', 'first?', 'second?'],
    });
    expect(walked({ ...answers, inside: false }).asked).toEqual(['inside', 'skipped', 'first', 'second']);
    const { definition } = importBot({
      title: 'Groups',
      fields: [{ ref: 'about', type: 'group', title: 'All about you', properties: { fields } }],
      logic: [jump('second', 'first', true)],
    }) ?? { definition: undefined };
    expect(definition?.steps.find(({ id }) => id === 'second')).toMatchObject({
      next: [{ goto: 'first' }, { else: expect.any(String) }],
    });
  });

  test('the row of a matrix, own words and a day decide', () => {
    const rooms = (main_hall: string) =>
      hold({ ...here, rooms: { main_hall, workshops: 'great' }, quiz2: 1 }).asked;
    expect([rooms('poor').includes('quiz2'), rooms('fine').includes('quiz2')]).toEqual([false, true]);
    const poor = { ...here, rooms: { main_hall: 'poor', workshops: 'poor' } };
    const asksNext = (source: unknown) => hold({ ...poor, source }).asked.includes('next');
    expect([asksNext({ other: 'A poster' }), asksNext('a_friend')]).toEqual([false, true]);
    const asksSite = (next: string) => hold({ ...poor, source: 'a_friend', next }).asked.includes('site');
    expect([asksSite('2026-12-31'), asksSite('2027-01-01')]).toEqual([false, true]);
  });
});

describe('Typebot', () => {
  const hold = holding(typebot);

  test('the way of a choice is taken, and its words are known to conditions', () => {
    expect(hold({ name: 'Ada', role: 'just_looking' }).said.at(-1)).toBe('Bye Ada !');
    expect(hold({ name: 'Ada', role: 'founder' }).asked).toContain('team_size');
    expect(hold({ name: 'Ada', role: 'marketing' }).asked).not.toContain('team_size');
  });

  test('a variable is counted up over blocks, and read by conditions and texts', () => {
    const rich = hold({
      name: 'Ada',
      role: 'founder',
      team_size: 50,
      plan: 'enterprise',
      start_date: '2026-10-01',
    });
    expect(rich.evaluation['lead_score']).toBe('40');
    expect(rich.said.some((text) => text.startsWith('You have 40 points, Ada'))).toBe(true);
    const small = hold({ name: 'Ada', email: 'a@b.example', role: 'founder', team_size: 20, plan: 'team' });
    expect(small.evaluation['lead_score']).toBe('30');
    expect(small.said.some((text) => text.startsWith('You have'))).toBe(false);
  });

  test('all comparisons of "and", and one of "or", must hold', () => {
    const tools = (value: string[]) => hold({ role: 'marketing', tools: value }).said;
    expect(tools(['intercom'])).toContain('We import from there.\nIn a minute.');
    expect(tools(['spreadsheets'])).not.toContain('We import from there.\nIn a minute.');
    const fan = (role: string, nps: number) =>
      hold({ role, nps }).said.some((text) => text.startsWith('Wonderful!'));
    expect([fan('marketing', 9), fan('marketing', 8)]).toEqual([true, false]);
  });

  test.each([
    ['{{x}} * -1', '-4'],
    ['5 - -3', '8'],
    ['10 / -2', '-5'],
    ['5 - -3 * 2', '11'],
    ['-{{x}} + -(1 + 2) * - -2', '-10'],
    ['-2 * -{{x}} / -8', '-1'],
  ])('a sign belongs to what follows it: %s is %s', (formula, result) => {
    const set = (variableId: string, expressionToEvaluate: string) => ({
      id: variableId,
      type: 'Set variable',
      options: { variableId, expressionToEvaluate },
    });
    const file = {
      ...typebot,
      edges: [{ id: 'e1', from: { eventId: 'start' }, to: { groupId: 'g1' } }],
      events: [{ id: 'start', type: 'start', outgoingEdgeId: 'e1' }],
      groups: [{ id: 'g1', title: 'G', blocks: [set('v1', '4'), set('v2', formula)] }],
      variables: [
        { id: 'v1', name: 'x' },
        { id: 'v2', name: 'result' },
      ],
    };
    expect(holding(file)({}).evaluation['result']).toBe(result);
  });

  test('a value that was set is in the next question, and context decides', () => {
    expect(hold({ name: 'Ada' }).said).toContain('Nice to meet you, Ada! Where can we write to you?');
    const warm = (campaign: string) =>
      hold({ role: 'marketing', email: 'a@b.org' }, { context: { utm_campaign: campaign } }).said;
    expect(warm('spring')).toContain('We write to a@b.org.');
    expect(warm('none')).not.toContain('We write to a@b.org.');
  });
});

describe('Formbricks', () => {
  const hold = holding(formbricks);

  test('a rule calculates and goes on; without one that holds, the fallback is taken', () => {
    const maker = hold({ first_name: 'Ada', role: 'developer', often: 5, csat: 5, ces: 1 });
    expect(maker.evaluation).toMatchObject({ score: '15', segment: 'maker' });
    expect(maker.asked).toContain('often');
    const other = hold({ first_name: 'Ada', role: { other: 'Pilot' } });
    expect(other.asked).not.toContain('often');
    expect(other.evaluation).toMatchObject({ segment: 'new' });
    expect(hold({ role: 'customer_care' }, { context: { plan: 'free' } }).asked).not.toContain('often');
  });

  test('groups of conditions nest', () => {
    const way = (often: number, csat: number, ces: number) =>
      hold({ first_name: 'Ada', role: 'product', often, csat, ces }).asked.includes('nps');
    expect([way(2, 2, 1), way(2, 4, 6), way(2, 4, 5), way(4, 1, 7)]).toEqual([false, false, true, true]);
  });

  test('conditions count what was calculated', () => {
    const skips = (role: string) =>
      !hold({ first_name: 'Ada', role, often: 5, csat: 5, ces: 1, nps: 10 }).asked.includes('why');
    expect([skips('developer'), skips('customer_care')]).toEqual([true, false]);
  });

  test('lists, rows and days decide', () => {
    const base = { first_name: 'Ada', role: 'developer', often: 5, csat: 5, ces: 1, nps: 10 };
    expect(hold({ ...base, features: ['surveys', 'bots'] }).asked).not.toContain('grid');
    expect(hold({ ...base, features: ['surveys', 'reports'] }).asked).toContain('grid');
    const late = { ...base, features: ['surveys'], grid: { range: 'great', advice: 'poor' } };
    expect(hold({ ...late, day: '2026-01-01' }).asked).not.toContain('lastname');
    expect(hold({ ...late, day: '2024-01-01' }).asked).toContain('lastname');
  });

  test('a text goes to another ending, and each language has its words', () => {
    const angry = hold(
      { first_name: 'Ada', role: { other: 'Pilot' }, nps: 1, why: 'I cancel' },
      { locale: 'de' },
    );
    expect(angry.said.at(-1)).toBe('https://example.com/sorry');
    expect(angry.said).toContain('Willkommen!\nNeun kurze Fragen.');
    const happy = hold(
      { first_name: 'Ada', role: { other: 'Pilot' }, nps: 1, why: 'Nothing' },
      { locale: 'de-AT' },
    );
    expect(happy.said.at(-1)).toMatch(/^Danke, Ada!\nSie haben 10 Punkte\./);
  });

  test('the card of an older file is the ending', () => {
    const { blocks: _blocks, endings: _endings, ...rest } = formbricks as Record<string, unknown>;
    const question = { id: 'why', type: 'openText', headline: 'Why?', required: false };
    const card = { enabled: true, headline: 'Thank you!', buttonLink: 'https://example.com' };
    const older = { ...rest, blocks: [], endings: [], questions: [question], thankYouCard: card };
    expect(holding(older)({}).said.at(-1)).toBe('Thank you!\nhttps://example.com');
    const off = holding({ ...older, thankYouCard: { ...card, enabled: false } });
    expect(off({}).said.at(-1)).toBe('Why?');
  });

  test('the rules of older surveys, with one condition each, decide', () => {
    const older = {
      name: 'Older',
      welcomeCard: { enabled: false },
      endings: [{ id: 'bye', type: 'endScreen', headline: { default: 'Bye' }, buttonLink: '' }],
      questions: [
        {
          id: 'role',
          type: 'multipleChoiceSingle',
          headline: { default: 'Role?' },
          required: false,
          choices: [
            { id: 'c1', label: { default: 'Founder' } },
            { id: 'c2', label: { default: 'Engineer' } },
            { id: 'c3', label: { default: 'Designer' } },
            { id: 'other', label: { default: 'Else' } },
          ],
          logic: [
            { condition: 'equals', value: 'Founder', destination: 'stars' },
            { condition: 'includesOne', value: ['Designer'], destination: 'end' },
            { condition: 'equals', value: 'Else', destination: 'why' },
            { condition: 'skipped', destination: 'end' },
          ],
        },
        { id: 'tools', type: 'openText', headline: { default: 'Tools?' }, required: true },
        {
          id: 'stars',
          type: 'rating',
          range: 5,
          headline: { default: 'Stars?' },
          required: true,
          logic: [{ condition: 'lessEqual', value: 2, destination: 'why' }],
        },
        { id: 'best', type: 'openText', headline: { default: 'Best?' }, required: true },
        { id: 'why', type: 'openText', headline: { default: 'Why?' }, required: true },
      ],
    };
    const walked = holding(older);
    expect(walked({ role: 'founder', stars: 2 })).toMatchObject({ asked: ['role', 'stars', 'why'] });
    expect(walked({ role: 'engineer', stars: 3 }).asked).toEqual(['role', 'tools', 'stars', 'best', 'why']);
    expect(walked({ role: { other: 'Pilot' } }).asked).toEqual(['role', 'why']);
    expect(walked({ role: 'designer' })).toMatchObject({ asked: ['role'], said: ['Role?', 'Bye'] });
    expect(importBot(older)?.report.filter(({ outcome }) => outcome === 'dropped')).toEqual([]);
    expect(importBot(older)?.report.filter(({ outcome }) => outcome === 'changed')).toEqual([]);
  });
});
