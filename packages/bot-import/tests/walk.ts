import type { BotDefinition } from '@parley/bot/definition';
import { answer, beginConversation, type Turn } from '@parley/bot/engine';

type Input = NonNullable<Turn['input']>;

/** Answers by the id of the step. Questions that are not named get the first answer that is valid. */
export type Script = Record<string, unknown>;

export type Walked = {
  /** The questions in the order in which they were asked. */
  asked: string[];
  /** What the bot said. */
  said: string[];
  evaluation: Record<string, string>;
  /** The end that was reached. */
  end: string | null;
};

/** Holds a conversation with a valid definition. Throws if an answer is refused, or if it does not end. */
export function walk(
  definition: BotDefinition,
  answers: Script = {},
  {
    context = {},
    locale,
    pick = 0,
  }: { context?: Record<string, string>; locale?: string; pick?: number } = {},
): Walked {
  let turn = beginConversation(definition, {
    customer: { id: 'c-1' },
    context,
    now: 0,
    ...(locale !== undefined && { locale }),
  });
  const said = turn.entries.map(({ body }) => body);
  const asked: string[] = [];
  for (let left = 300; !turn.ended; left -= 1) {
    const { input } = turn;
    if (input === null || left === 0) throw new Error(`The conversation does not end: ${asked.join(', ')}`);
    asked.push(input.stepId);
    const given = Object.hasOwn(answers, input.stepId) ? answers[input.stepId] : answerTo(input, pick + left);
    const form = given === undefined ? { skip: true as const } : { value: given };
    const next = answer(definition, turn.state, { stepId: input.stepId, answer: form, now: 1 });
    if ('rejected' in next)
      throw new Error(`${input.stepId}: ${next.rejected.detail} ${JSON.stringify(given)}`);
    turn = next;
    said.push(...turn.entries.filter(({ type }) => type === 'bot').map(({ body }) => body));
  }
  return { asked, said, evaluation: turn.evaluation, end: turn.endStepId };
}

/** Returns a valid answer. `pick` decides which one. */
function answerTo(input: Input, pick: number): unknown {
  const values = (input.choices ?? []).map(({ value }) => value);
  const { min, max, rows = [], columns = [] } = input;
  switch (input.type) {
    case 'choice':
      return values[pick % values.length];
    case 'multiChoice':
      return [values[pick % values.length]];
    case 'ranking':
      return pick % 2 === 0 ? values : values.toReversed();
    case 'matrix':
      return Object.fromEntries(
        rows.map(({ value }, at) => [value, columns[(pick + at) % columns.length]?.value]),
      );
    case 'nps':
    case 'rating':
    case 'number': {
      const [low, high] = [Number(min ?? 0), Number(max ?? 100)];
      return low + (pick % (high - low + 1));
    }
    case 'yesNo':
      return pick % 2 === 0;
    case 'consent':
      return true;
    case 'email':
      return 'ada@example.com';
    case 'phone':
      return '+49 30 1234567';
    case 'url':
      return pick % 2 === 0 ? 'https://example.com/a' : 'https://parley.example.org';
    case 'date':
      return pick % 2 === 0 ? '2026-10-01' : '2027-10-01';
    case 'time':
      return '10:30';
    default:
      return pick % 2 === 0 ? 'Some words' : 'I want to cancel';
  }
}
