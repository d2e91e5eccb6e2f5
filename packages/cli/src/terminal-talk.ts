import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { BotDefinition } from '@parley/bot/definition';
import { answer, answerModel, type Beginning, start, type Turn } from '@parley/bot/engine';
import { planOf } from '@parley/bot/plan';
import type { Simulation } from '@parley/bot/simulate';
import { modelHint, readModelLine } from './model-line.ts';
import { styled } from './output.ts';
import { choiceLines, hint, readReply } from './question-lines.ts';

/** How a talk went, without the engine's own state. */
export type Talk = Omit<Simulation, 'state'>;

interface TalkOptions {
  beginning: Beginning;
  /** The customer's lines: an empty one skips the question. The talk stops where they end. */
  lines: Readable & { isTTY?: boolean };
  /** Where the talk is shown; nowhere when absent. */
  shown?: Writable | undefined;
  /** Whether the model's answers are lines, too. Otherwise it fails. */
  isModelPlayed: boolean;
}

const indent = '     ';

/** What one side says, its further lines below the first. */
export function spoken(who: 'bot' | 'you' | 'llm', words: string): string {
  return `${who}  ${words.replaceAll('\n', `\n${indent}`)}`.trimEnd();
}

/** A talk with somebody at the terminal, who answers in free text as a customer would. Ctrl-C and Ctrl-D end it. */
export async function talkOverLines(definition: BotDefinition, options: TalkOptions): Promise<Talk> {
  const { beginning, lines, shown, isModelPlayed } = options;
  const isTerminal = lines.isTTY === true && shown !== undefined;
  const reader = createInterface({
    input: lines,
    terminal: isTerminal,
    ...(isTerminal && { output: shown }),
  });
  const replies = reader[Symbol.asyncIterator]();
  const say = (line: string): void => void shown?.write(`${line}\n`);
  const note = (line: string): void => say(indent + styled('dim', line, shown));
  const reply = async (who: 'you' | 'llm'): Promise<string | undefined> => {
    if (isTerminal) {
      reader.setPrompt(`${who}  `);
      reader.prompt();
    }
    const { value, done } = await replies.next();
    // A terminal shows what is typed; what comes from elsewhere is shown here.
    if (!isTerminal && !done) say(spoken(who, value));
    if (isTerminal && done) say('');
    return done ? undefined : value;
  };
  const end = (): void => reader.close();
  reader.on('SIGINT', end);
  process.once('SIGINT', end);

  const begin = { ...beginning, now: nowSeconds(), hasModel: true };
  const talk: Talk = { ...empty, transcript: [], rejected: [] };
  const take = (turn: Turn): Turn => {
    for (const { type, body } of turn.entries) {
      talk.transcript.push({ type, body });
      if (type === 'bot') say(spoken('bot', body));
    }
    return turn;
  };

  let turn = take(start(definition, begin));
  for (let given = 0; !turn.ended; ) {
    const { state, input } = turn;
    if (input === null) {
      const step = planOf(definition).llms.get(state.awaiting?.stepId ?? '');
      if (!step) throw new Error('the talk waits for nobody');
      note(
        isModelPlayed
          ? `${step.id} ${modelHint(step)}`
          : `(no model here: ${step.id} fails, which leads to ${step.onError.goto})`,
      );
      const line = isModelPlayed ? await reply('llm') : '';
      if (line === undefined) break;
      const event = { outcome: readModelLine(step, line), now: nowSeconds() };
      const outcome = answerModel(definition, state, event);
      if ('rejected' in outcome) note(outcome.rejected.detail);
      else turn = take(outcome);
      continue;
    }
    for (const line of choiceLines(input)) say(indent + line);
    note(hint(input));
    const line = await reply('you');
    if (line === undefined) break;
    const { stepId } = input;
    const event = { stepId, answer: readReply(input, line), now: nowSeconds(), hasModel: true };
    const outcome = answer(definition, state, event);
    if ('rejected' in outcome) {
      talk.rejected.push({ index: given, stepId, ...outcome.rejected });
      note(outcome.rejected.detail);
    } else turn = take(outcome);
    given += 1;
  }
  process.off('SIGINT', end);
  end();
  const { evaluation, ended, input } = turn;
  return { ...talk, evaluation, ended, input };
}

const empty = { evaluation: {}, ended: false, input: null, unused: 0 };

function nowSeconds(): number {
  return Date.now() / 1000;
}
