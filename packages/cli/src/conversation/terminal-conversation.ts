import { createInterface, type Interface } from 'node:readline';
import type { BotDefinition } from '@parley/bot/definition';
import {
  answer,
  type Beginning,
  type ConversationState,
  type Input,
  type Rejection,
  beginConversation,
  type Turn,
} from '@parley/bot/engine';
import { answerModel } from '@parley/bot/model-answer';
import { planOf } from '@parley/bot/plan';
import type { Simulation } from '@parley/bot/simulate';
import { modelHint, readModelLine } from './model-line.ts';
import { choiceLines, hint, readReply } from './question-lines.ts';
import { writeText } from '../output.ts';
import type { Shell } from '../shell.ts';

/** The result of a conversation, without the engine's state. */
export type Result = Omit<Simulation, 'state'>;

interface ConversationOptions {
  beginning: Beginning;
  /** Its input has the customer's lines; an empty one skips the question. The conversation stops at their end. */
  shell: Shell;
  isShown: boolean;
  /** Whether lines also answer the `llm` steps. Otherwise these steps fail. */
  isModelPlayed: boolean;
}

type TurnOutcome = Turn | Rejection;
type Speaker = 'bot' | 'you' | 'llm';

const indent = '     ';

/** Formats an entry; further lines are indented. */
export function entryText(speaker: Speaker, body: string): string {
  return `${speaker}  ${body.replaceAll('\n', `\n${indent}`)}`.trimEnd();
}

/** Runs a conversation with a person at the terminal. Ctrl-C and Ctrl-D end it. */
export async function converseOverLines(
  definition: BotDefinition,
  options: ConversationOptions,
): Promise<Result> {
  const terminal = new Terminal(options);
  const transcript: Result['transcript'] = [];
  const rejected: Result['rejected'] = [];
  const take = (turn: Turn): Turn => {
    for (const { type, body } of turn.entries) {
      transcript.push({ type, body });
      if (type === 'bot') terminal.print(entryText('bot', body));
    }
    return turn;
  };
  let turn = take(beginConversation(definition, { ...options.beginning, now: nowSeconds(), hasModel: true }));
  for (let index = 0; !turn.ended; ) {
    const { state, input } = turn;
    const outcome = input
      ? await answerQuestion(definition, state, input, terminal)
      : await answerAsModel(definition, state, terminal, options.isModelPlayed);
    if (!outcome) break;
    if ('rejected' in outcome) terminal.note(outcome.rejected.detail);
    else turn = take(outcome);
    if (!input) continue;
    if ('rejected' in outcome) rejected.push({ index, stepId: input.stepId, ...outcome.rejected });
    index += 1;
  }
  terminal.close();
  const { evaluation, ended, input } = turn;
  return { transcript, rejected, evaluation, ended, input, unused: 0 };
}

/** Asks the customer. Returns undefined at the end of the lines. */
async function answerQuestion(
  definition: BotDefinition,
  state: ConversationState,
  input: Input,
  terminal: Terminal,
): Promise<TurnOutcome | undefined> {
  for (const line of choiceLines(input)) terminal.print(indent + line);
  terminal.note(hint(input));
  const line = input.rows ? await readRows(input, terminal) : await terminal.read('you');
  if (line === undefined) return undefined;
  const { stepId } = input;
  const event = { stepId, answer: readReply(input, line), now: nowSeconds(), hasModel: true };
  return answer(definition, state, event);
}

/** Reads a line for each row. Returns the rows that have an answer as one text; undefined at the end of the lines. */
async function readRows({ rows = [], columns = [] }: Input, terminal: Terminal): Promise<string | undefined> {
  const answered: string[] = [];
  for (const { label } of rows) {
    terminal.note(`${label}:`);
    const line = await terminal.read('you');
    if (line === undefined) return undefined;
    const text = line.trim();
    if (text !== '') answered.push(`${label}: ${columns[Number(text) - 1]?.label ?? text}`);
  }
  return answered.join('\n');
}

/** Asks for the model's answer, or fails the step. Returns undefined at the end of the lines. */
async function answerAsModel(
  definition: BotDefinition,
  state: ConversationState,
  terminal: Terminal,
  isModelPlayed: boolean,
): Promise<TurnOutcome | undefined> {
  const step = planOf(definition).llms.get(state.awaiting?.stepId ?? '');
  if (!step) throw new Error('the conversation waits for neither customer nor model');
  terminal.note(
    isModelPlayed
      ? `${step.id} ${modelHint(step)}`
      : `(no model: ${step.id} fails and continues at ${step.onError.goto})`,
  );
  const line = isModelPlayed ? await terminal.read('llm') : '';
  if (line === undefined) return undefined;
  return answerModel(definition, state, { outcome: readModelLine(step, line), now: nowSeconds() });
}

/** Reads lines, and prints the conversation to the output. */
class Terminal {
  readonly #reader: Interface;
  readonly #lines: AsyncIterator<string, undefined>;
  readonly #shell: Shell;
  readonly #isShown: boolean;
  readonly #isInteractive: boolean;

  constructor({ shell, isShown }: ConversationOptions) {
    const { stdin: input, stdout: output } = shell;
    this.#shell = shell;
    this.#isShown = isShown;
    this.#isInteractive = input.isTTY === true && isShown;
    const terminal = this.#isInteractive;
    this.#reader = createInterface({ input, terminal, ...(terminal && { output }) });
    this.#lines = this.#reader[Symbol.asyncIterator]();
    this.#reader.on('SIGINT', this.close);
    shell.once('SIGINT', this.close);
  }

  readonly close = (): void => {
    this.#shell.off('SIGINT', this.close);
    this.#reader.close();
  };

  print(line: string): void {
    if (this.#isShown) writeText(this.#shell.stdout, line);
  }

  note(text: string): void {
    this.print(indent + text);
  }

  async read(speaker: Speaker): Promise<string | undefined> {
    this.#reader.setPrompt(`${speaker}  `);
    if (this.#isInteractive) this.#reader.prompt();
    const { value, done } = await this.#lines.next();
    // A terminal echoes what is typed.
    if (this.#isInteractive === Boolean(done)) this.print(done ? '' : entryText(speaker, value));
    return done ? undefined : value;
  }
}

function nowSeconds(): number {
  return Date.now() / 1000;
}
