import type { Answer, ConversationState, Input } from '@parley/bot/engine';
import type { Random } from './random.ts';

interface Question {
  input: Input;
  state: ConversationState;
}

/** The share of customers who leave at a question, by the id of the step. Long texts cost the most. */
const leaving: Readonly<Record<string, number>> = {
  why: 0.16,
  motivation: 0.16,
  which_needs: 0.16,
  email: 0.12,
  years: 0.07,
  salary: 0.07,
};

/** The texts of customers, by the id of the step, or by how content they are. */
const texts: Record<string, readonly string[]> = {
  happy: [
    'The tea tastes as fresh as in your shop.',
    'It arrived a day early, and well packed.',
    'Friendly people who know what they sell.',
    'Good quality for the price.',
    'The tasting notes on the pack helped me to choose.',
  ],
  unhappy: [
    'It took two weeks to arrive.',
    'The pack was torn, and half of the tea was gone.',
    'Too expensive for what it is.',
    'Nobody answered my e-mail.',
    'It tasted weaker than the last time.',
  ],
  motivation: [
    'I have worked with tea for years, and want to learn how it is chosen.',
    'I like small teams where one sees the result of the work.',
    'Your shop was the first that told me where the leaves come from.',
  ],
  which_needs: ['A ramp at the entrance, please.', 'My guest needs a chair with a back.'],
};

const themes: Record<string, string> = {
  arrive: 'delivery',
  pack: 'delivery',
  arrived: 'delivery',
  price: 'price',
  expensive: 'price',
  people: 'service',
  answered: 'service',
};

/** Returns the customer's answer; undefined when the customer leaves. `isHappier` shifts scores up. */
export function answerTo(question: Question, random: Random, isHappier: boolean): Answer | undefined {
  const { input } = question;
  if (random.happens(leaving[input.stepId] ?? 0.03)) return undefined;
  if (!input.required && random.happens(0.3)) return { skip: true };
  return { value: valueOf(question, random, isHappier) };
}

/** Answers to questions of the sample bots, by the id of the step. */
const values: Readonly<Record<string, (question: Question, random: Random, isHappier: boolean) => unknown>> =
  {
    score: (_question, random, isHappier) => scoreOf(random, isHappier),
    years: (_question, random) => Math.floor(random.between(0, 15)),
    salary: (_question, random) => Math.round(random.between(32, 68)) * 1000,
    needs: (_question, random) => random.happens(0.15),
    email: ({ state }) => `${state.customer.firstName.toLowerCase()}@example.com`,
    date: ({ input }, random) => addDays(String(input.min), Math.ceil(random.between(1, 9))),
  };

function valueOf(question: Question, random: Random, isHappier: boolean): unknown {
  const { stepId, choices, maxSelections, rankMax, rows, columns = [], label, labels } = question.input;
  const value = values[stepId];
  if (value !== undefined) return value(question, random, isHappier);
  if (choices !== undefined && maxSelections !== undefined) {
    return choices
      .filter(({ exclusive }, index) => index === 0 || (!exclusive && random.happens(0.4)))
      .map(({ value: chosen }) => chosen);
  }
  if (choices !== undefined && rankMax !== undefined) {
    const placed = choices.map(({ value: chosen }) => ({ chosen, place: random.next() }));
    return placed
      .toSorted((one, other) => one.place - other.place)
      .slice(0, rankMax)
      .map(({ chosen }) => chosen);
  }
  // Most are content: the last column is the best.
  if (rows !== undefined) {
    const best = columns.at(-1);
    return Object.fromEntries(
      rows.map((row) => [row.value, (random.happens(0.6) ? best : random.pick(columns))?.value]),
    );
  }
  if (label !== undefined) return random.happens(0.4);
  // The first choice is the usual one.
  if (choices !== undefined) return (random.happens(0.55) ? choices[0] : random.pick(choices))?.value;
  if (labels !== undefined) return random.happens(0.85);
  const mood = Number(question.state.answers['score']) >= 7 ? 'happy' : 'unhappy';
  return random.pick(texts[stepId] ?? texts[mood] ?? []);
}

function scoreOf(random: Random, isHappier: boolean): number {
  const chance = random.next();
  if (chance < (isHappier ? 0.58 : 0.4)) return random.pick([9, 10]);
  return chance < (isHappier ? 0.84 : 0.72) ? random.pick([7, 8]) : Math.floor(random.between(1, 7));
}

/** Returns what a model would say of the customer's words: the label of their theme, or a summary. */
export function modelAnswer(stepId: string, answers: ConversationState['answers']): string {
  const text = [answers['why'], answers['motivation']].find((answer) => typeof answer === 'string') ?? '';
  if (stepId !== 'theme') return JSON.stringify({ summary: text });
  const word = Object.keys(themes).find((known) => text.toLowerCase().includes(known));
  return JSON.stringify({ label: word === undefined ? 'quality' : themes[word] });
}

function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}
