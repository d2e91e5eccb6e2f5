import type { BotDefinition } from '@parley/bot/definition';
import type { Beginning } from '@parley/bot/engine';
import { type BotFile, readBot } from '../bot-file.ts';
import { Failure, type FaultInFile } from '../failure.ts';
import { readModelLine } from '../model-line.ts';
import { type Overview, overviewOf, type Problem } from './overview.ts';
import { createPreviewTalk, type PreviewTalk, type Taken } from './preview-talk.ts';

/** A bot's file, and the talk with the bot as it was last valid. */
export interface Workbench {
  talk(): PreviewTalk | undefined;
  overview(): Overview;
  /** Reads the file again. A changed bot begins a talk that takes up the answers so far. Says how it went. */
  reload(): Promise<{ read: BotFile } | { failure: Failure } | 'unchanged'>;
  /** Begins a new talk. */
  restart(): void;
  /** A line of whoever plays the model. Why it cannot be taken; undefined when it was. */
  answerModel(line: string): string | undefined;
  /** Called after every change. Answers a function that ends it. */
  onChange(listener: () => void): () => void;
}

interface WorkbenchOptions {
  file: string;
  /** Throws a `Failure` for a bot that its talk cannot begin with. */
  beginningOf: (definition: BotDefinition) => Beginning;
  /** Whether somebody answers `llm` steps; otherwise they fail. */
  isModelPlayed: boolean;
}

/** A workbench that has read nothing yet. */
export function createWorkbench({ file, beginningOf, isModelPlayed }: WorkbenchOptions): Workbench {
  const listeners = new Set<() => void>();
  let read: BotFile | undefined;
  let talk: PreviewTalk | undefined;
  let problem: Problem | undefined;

  const tell = (): void => listeners.forEach((listener) => listener());
  const begin = ({ definition }: BotFile, former: readonly Taken[]): void => {
    talk = createPreviewTalk(definition, beginningOf(definition), { former, isModelPlayed });
    talk.onChange(tell);
  };

  return {
    talk: () => talk,
    overview: () => overviewOf(file, talk, problem),
    reload: async () => {
      try {
        const next = await readBot(file);
        if (next.text === read?.text && !problem) return 'unchanged';
        if (next.text !== read?.text) begin(next, talk?.taken ?? []);
        read = next;
        problem = undefined;
        tell();
        return { read: next };
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        problem = { message: error.message, faults: (error.faults ?? []).filter(isInFile) };
        tell();
        return { failure: error };
      }
    },
    restart: () => {
      if (!read) return;
      begin(read, []);
      tell();
    },
    answerModel: (line) => {
      const step = talk?.awaiting();
      return step ? talk?.answerModel(readModelLine(step, line)) : 'The talk does not wait for the model.';
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function isInFile(fault: NonNullable<Failure['faults']>[number]): fault is FaultInFile {
  return 'place' in fault;
}
