import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { BotDefinition } from '@parley/bot/definition';
import { answer, type Input, start } from '@parley/bot/engine';
import type { Simulation } from '@parley/bot/simulate';

/** How a talk went, without the engine's own state. */
export type Talk = Omit<Simulation, 'state'>;

interface TalkOptions {
  /** The customer's lines: an empty one skips the question. The talk stops where they end. */
  lines: Readable;
  /** Where the bot speaks; nowhere when absent. */
  shown?: Writable;
}

/** A talk with somebody at the terminal, who answers in free text as a customer would. */
export async function talkOverLines(definition: BotDefinition, { lines, shown }: TalkOptions): Promise<Talk> {
  const customer = { id: 'simulated', firstName: '', lastName: '', email: '' };
  let turn = start(definition, { customer, context: {}, now: nowSeconds() });
  const entries = [...turn.entries];
  const rejected: Talk['rejected'] = [];
  let given = 0;
  const say = (line: string): void => void shown?.write(`${line}\n`);
  const showTurn = (): void => {
    for (const { type, body } of turn.entries) if (type === 'bot') say(`bot  ${body}`);
    if (turn.input) say(`     ${hint(turn.input)}`);
  };

  showTurn();
  const reader = createInterface({ input: lines });
  for await (const line of reader) {
    if (turn.input === null) break;
    const { stepId } = turn.input;
    const reply = line.trim() === '' ? ({ skip: true } as const) : { text: line };
    const outcome = answer(definition, turn.state, { stepId, answer: reply, now: nowSeconds() });
    if ('rejected' in outcome) {
      rejected.push({ index: given, stepId, ...outcome.rejected });
      say(`     ${outcome.rejected.detail}`);
    } else {
      turn = outcome;
      entries.push(...turn.entries);
      showTurn();
    }
    given += 1;
    if (turn.ended) break;
  }
  reader.close();
  return {
    transcript: entries.map(({ type, body }) => ({ type, body })),
    evaluation: turn.evaluation,
    ended: turn.ended,
    input: turn.input,
    rejected,
    unused: 0,
  };
}

/** What may be answered, in a line. */
export function hint({ type, required, choices, min, max, labels }: Input): string {
  const parts: string[] = [type];
  if (choices) parts.push(choices.map(({ label }) => label).join(' | '));
  if (type === 'multiChoice') parts.push('several, separated by commas');
  if (min !== undefined || max !== undefined) parts.push(`${min ?? ''} to ${max ?? ''}`.trim());
  if (labels) parts.push(Object.values(labels).join(' | '));
  if (!required) parts.push('empty to skip');
  return `(${parts.join('; ')})`;
}

function nowSeconds(): number {
  return Date.now() / 1000;
}
