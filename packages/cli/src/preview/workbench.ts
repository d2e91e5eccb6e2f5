import { EventEmitter } from 'node:events';
import type { BotDefinition } from '@parley/bot/definition';
import type { Beginning } from '@parley/bot/engine';
import { type Advance, PreviewConversation } from '@parley/bot/preview-conversation';
import { type BotFile, readBot } from '../files/bot-file.ts';
import { Failure } from '../failure.ts';
import { readModelLine } from '../conversation/model-line.ts';
import type { Shell } from '../shell.ts';
import { type Overview, overviewOf } from './overview.ts';

interface WorkbenchOptions {
  file: string;
  shell: Shell;
  /** Throws a `Failure` when the options do not fit the bot. */
  beginningOf: (definition: BotDefinition) => Beginning;
  /** Whether a person answers `llm` steps; otherwise they fail. */
  isModelPlayed: boolean;
}

/** A bot's file, and a conversation with its last valid definition. */
export class Workbench extends EventEmitter<{ change: [] }> {
  readonly #options: WorkbenchOptions;
  #read: BotFile | undefined;
  #conversation: PreviewConversation | undefined;
  #problem: Failure | undefined;

  constructor(options: WorkbenchOptions) {
    super();
    this.#options = options;
  }

  get conversation(): PreviewConversation | undefined {
    return this.#conversation;
  }

  overview(): Overview {
    return overviewOf(
      this.#options.file,
      this.#conversation,
      this.#problem,
      this.#problem ? [] : (this.#read?.warnings ?? []),
    );
  }

  /** Reads the file. A changed bot starts a conversation with the answers so far. */
  async reload(): Promise<{ read: BotFile } | { failure: Failure } | 'unchanged'> {
    try {
      const { file, shell } = this.#options;
      const next = await readBot(file, shell);
      if (next.text === this.#read?.text && !this.#problem) return 'unchanged';
      if (next.text !== this.#read?.text) this.#begin(next, this.#conversation?.advances ?? []);
      this.#read = next;
      this.#problem = undefined;
      this.emit('change');
      return { read: next };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.#problem = error;
      this.emit('change');
      return { failure: error };
    }
  }

  restart(): void {
    if (!this.#read) return;
    this.#begin(this.#read, []);
    this.emit('change');
  }

  /** Takes a line as the model's answer. Returns the reason of a rejection. */
  answerModel(line: string): string | undefined {
    const step = this.#conversation?.awaiting;
    if (!step) return 'The conversation does not wait for the model.';
    return this.#conversation?.answerModel(readModelLine(step, line));
  }

  #begin({ definition }: BotFile, advances: readonly Advance[]): void {
    const { beginningOf, isModelPlayed } = this.#options;
    this.#conversation = new PreviewConversation(definition, beginningOf(definition), {
      isModelPlayed,
    });
    this.#conversation.replay(advances);
    this.#conversation.addEventListener('change', () => this.emit('change'));
  }
}
