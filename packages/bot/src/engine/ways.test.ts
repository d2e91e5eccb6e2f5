import { describe, expect, test } from 'vitest';
import { draft, valid } from '../../tests/definitions.ts';
import { runAtOnce } from '../bounds/slices.ts';
import type { BotDefinition } from '../validation/definition.ts';
import { factsOf } from '../figures/facts.ts';
import { answerModel } from '../model/model-answer.ts';
import { revise, transcriptAfter } from '../revising/revise.ts';
import { takeWay, waysMax, waysOf } from './ways.ts';
import { type Answer, answer, beginConversation, type Entry, type Turn } from './engine.ts';

const now = 1_767_225_600;
const end = { id: 'end', kind: 'end' };
const yesNo = (id: string, more: object = {}) => ({
  id,
  kind: 'ask',
  text: `${id}?`,
  input: { type: 'yesNo' },
  ...more,
});

interface Options {
  hasModel?: boolean;
}

/** Plays a conversation. A question to the model is answered by `model`. */
function play(steps: object[], { hasModel = false }: Options = {}) {
  const definition: BotDefinition = valid(draft([...steps, end], { revise: true }));
  const taken = (turn: Turn | { rejected: { reason: string } }): Turn => {
    if ('rejected' in turn) throw new Error(turn.rejected.reason);
    return turn;
  };
  let turn = beginConversation(definition, { customer: { id: 'c' }, context: {}, now, hasModel });
  let transcript: Entry[] = turn.entries;
  const take = (next: Turn): void => {
    turn = next;
    transcript = transcriptAfter(transcript, next);
  };
  return {
    say: (...answers: (Answer | boolean)[]) => {
      for (const given of answers) {
        const form = typeof given === 'boolean' ? { value: given } : given;
        const event = { stepId: turn.state.stepId ?? '', answer: form, now, hasModel };
        const before = JSON.stringify(turn.state);
        take(taken(answer(definition, turn.state, event)));
        expect(JSON.parse(before)).not.toEqual(turn.state);
      }
    },
    model: (said: object | undefined) => {
      const outcome = said ? { text: JSON.stringify(said) } : ({ failed: true } as const);
      take(taken(answerModel(definition, turn.state, { outcome, now })));
    },
    revise: (stepId: string, value: boolean) => {
      const told = { state: turn.state, transcript };
      take(taken(runAtOnce(revise(definition, told, { stepId, answer: { value }, now, hasModel }))));
    },
    forget: () => {
      const { ways: _ways, ...state } = turn.state;
      turn = { ...turn, state };
    },
    get state() {
      return turn.state;
    },
    get ways() {
      return factsOf(definition, turn.state, {}).ways.map(({ from, to }) => `${from} ${to}`);
    },
  };
}

const branching = [
  yesNo('happy', { next: [{ if: 'answers.happy', goto: 'thanks' }, { else: 'why' }] }),
  yesNo('why'),
  { id: 'thanks', kind: 'say', text: 'Thanks!' },
];

describe('the ways of a conversation', () => {
  test('begin at the first step, and are those of the arms that were taken', () => {
    const happy = play(branching);
    expect(happy.ways).toEqual([]);
    happy.say(true);
    expect(happy.ways).toEqual(['happy thanks', 'thanks end']);
    const unhappy = play(branching);
    unhappy.say(false);
    expect(unhappy.ways).toEqual(['happy why']);
    unhappy.say(true);
    expect(unhappy.ways).toEqual(['happy why', 'why thanks', 'thanks end']);
    expect(unhappy.state.ways).toEqual([[0, 1, 2, 3]]);
  });

  test('lead through steps that are left out', () => {
    const ways = play([
      { id: 'hello', kind: 'say', text: 'Hello', when: 'false' },
      yesNo('more', { when: "customer.id == 'c'" }),
      yesNo('left', { when: 'answers.more' }),
    ]);
    expect(ways.ways).toEqual(['hello more']);
    ways.say(false);
    expect(ways.ways).toEqual(['hello more', 'more left', 'left end']);
  });

  test('are each there once, however often a loop takes them, also one from a step to itself', () => {
    const loop = play([
      yesNo('again', { next: [{ if: 'answers.again', goto: 'again' }, { else: 'back' }] }),
      yesNo('back', { next: [{ if: 'answers.back', goto: 'again' }, { else: 'end' }] }),
    ]);
    loop.say(true, true, false, true, true, false, true, false, false);
    expect(loop.ways).toEqual(['again again', 'again back', 'back again', 'back end']);
    expect(loop.state.ways).toEqual([
      [0, 0, 1, 0],
      [1, 2],
    ]);
  });

  test('have a question without a valid answer at its last retry, and none for the retries', () => {
    const retried = play([
      yesNo('sure', { retry: { text: 'Yes or no?', max: 1, goto: 'end' } }),
      yesNo('other'),
    ]);
    retried.say({ text: 'x' });
    expect(retried.ways).toEqual([]);
    retried.say({ text: 'x' });
    expect(retried.ways).toEqual(['sure end']);
  });

  test('have what a model leads to, and where its failure leads, also without a model', () => {
    const classify = {
      id: 'sort',
      kind: 'llm',
      mode: 'classify',
      prompt: 'Sort {{answers.go}}.',
      labels: ['a', 'b'],
      saveAs: 'label',
      onError: { goto: 'failed' },
      next: [{ if: "answers.label == 'a'", goto: 'end' }, { else: 'failed' }],
    };
    const chat = {
      id: 'talk',
      kind: 'llm',
      mode: 'chat',
      prompt: 'Ask about {{answers.go}}.',
      onError: { goto: 'end' },
    };
    const steps = [yesNo('go'), classify, { id: 'failed', kind: 'say', text: 'No.' }, chat];
    const alone = play(steps);
    alone.say(true);
    expect(alone.ways).toEqual(['go sort', 'sort failed', 'failed talk', 'talk end']);
    const sorted = play(steps, { hasModel: true });
    sorted.say(true);
    expect(sorted.ways).toEqual(['go sort']);
    sorted.model({ label: 'a' });
    expect(sorted.ways).toEqual(['go sort', 'sort end']);
    const talked = play(steps, { hasModel: true });
    talked.say(true);
    talked.model(undefined);
    talked.model({ reply: 'What?', done: false });
    talked.say({ text: 'Nothing.' });
    expect(talked.ways).toEqual(['go sort', 'sort failed', 'failed talk']);
    talked.model({ reply: 'Well.', done: true });
    expect(talked.ways).toEqual(['go sort', 'sort failed', 'failed talk', 'talk end']);
  });

  test('are those of the present path after a revised answer', () => {
    const revised = play([...branching.slice(0, 2), yesNo('thanks')]);
    revised.say(false, true);
    expect(revised.ways).toEqual(['happy why', 'why thanks']);
    revised.revise('happy', true);
    expect(revised.ways).toEqual(['happy thanks']);
    revised.revise('happy', false);
    expect(revised.ways).toEqual(['happy why']);
  });

  test('are unknown of a conversation that began before its state had them', () => {
    const old = play(branching);
    old.forget();
    old.say(false, true);
    expect(old.ways).toEqual([]);
    expect(old.state).not.toHaveProperty('ways');
  });

  test('count in the size of the conversation', () => {
    const [with_, without] = [play(branching), play(branching)];
    without.forget();
    for (const one of [with_, without]) one.say(false, true);
    expect(with_.state.bytes - without.state.bytes).toBe('[0,1,2,3],'.length);
  });

  test('are the first 300, because a bot may have thousands', () => {
    const state = { ways: [] as number[][], bytes: 0 };
    for (let from = 0; from < 200; from += 1) for (let to = 0; to < 20; to += 1) takeWay(state, from, to);
    expect(waysOf(state.ways)).toHaveLength(waysMax);
    expect(waysOf(state.ways).at(-1)).toEqual({ from: 14, to: 19 });
    takeWay(state, 0, 0);
    expect(waysOf(state.ways)).toHaveLength(waysMax);
  });
});
