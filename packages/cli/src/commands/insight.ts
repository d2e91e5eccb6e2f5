import { setTimeout } from 'node:timers/promises';
import { InsightServiceService, type Rebuild } from '@parley/contracts/insight/v1/insight';
import { AppError } from '@parley/runtime/errors';
import type { Command } from 'commander';
import { counted } from '../counted.ts';
import { Failure } from '../failure.ts';
import { duration, percent } from '../insight/units.ts';
import { print } from '../output.ts';
import type { Shell } from '../shell.ts';
import { ask, findTarget, newCall, type Target, type TargetOptions } from '../target.ts';

const example = `
Examples:
  parley insight rebuild
  parley insight rebuild --status

For the operator. Counts all interactions from the beginning, beside the figures that are read
meanwhile, and then replaces them. The result is the same. The service goes on without this
command: --status shows the progress later. There is at most one rebuild at a time.`;

const pollMs = 500;

/** How often a line of progress is written where it is no terminal. */
const lineMs = 5_000;

/** For how long the service may be unavailable: it continues when it is back. */
const unavailableMsMax = 60_000;

interface RebuildOptions extends TargetOptions {
  status?: boolean;
}

export function addInsightCommands(program: Command, shell: Shell): void {
  program
    .command('insight')
    .description('rebuild the figures of all bots')
    .command('rebuild')
    .description('count all interactions from the beginning, and replace the figures')
    .option('--status', 'show the progress of the newest rebuild, and start none')
    .option('--insight <address>', 'the insight service of a deployment, host:port')
    .addHelpText('after', example)
    .action(async (_, command: Command) => {
      const { json, status, ...options } = command.optsWithGlobals<RebuildOptions>();
      const target = await findTarget(options, shell);
      const shown = status ? await newest(target) : await rebuild(target, json ? undefined : shell);
      print(shell, json, shown, described(shown));
    });
}

function newest(target: Target): Promise<Rebuild> {
  return ask(target, 'insight', 'rebuild', (peer) =>
    peer.client(InsightServiceService).getRebuild({}, newCall()),
  );
}

/** Starts a rebuild, or joins the running one. Resolves when it has ended. */
async function rebuild(target: Target, shell: Shell | undefined): Promise<Rebuild> {
  const begun = await ask(target, 'insight', 'rebuild', (peer) =>
    peer.client(InsightServiceService).startRebuild({}, newCall()),
  );
  using progress = openProgress(shell);
  let current = begun;
  let answeredAt = performance.now();
  while (current.finishedAt === null) {
    progress.show(described(current));
    await setTimeout(pollMs);
    try {
      current = await newest(target);
      answeredAt = performance.now();
    } catch (error) {
      if (!isUnavailable(error) || performance.now() - answeredAt > unavailableMsMax) throw error;
    }
  }
  return current;
}

function isUnavailable(error: unknown): boolean {
  const { cause } = error instanceof Failure ? error : {};
  return cause instanceof AppError && ['unavailable', 'deadline_exceeded'].includes(cause.code);
}

/** Writes progress to standard error: over the last line on a terminal, else in a line every few seconds. */
function openProgress(shell: Shell | undefined): Disposable & { show(text: string): void } {
  const isTerminal = shell !== undefined && 'isTTY' in shell.stderr && shell.stderr.isTTY === true;
  let last = Number.NEGATIVE_INFINITY;
  // What ends on a terminal is erased: the result follows.
  const erased = '\r\u001b[K';
  return {
    show: (text) => {
      if (isTerminal) return void shell.stderr.write(`${erased}${text}`);
      if (performance.now() - last < lineMs) return;
      last = performance.now();
      shell?.stderr.write(`${text}\n`);
    },
    [Symbol.dispose]: () => void (isTerminal && shell.stderr.write(erased)),
  };
}

function described({ startedAt, finishedAt, counted: done, total }: Rebuild): string {
  if (finishedAt === null) {
    const share = total === 0 ? '' : `, ${percent(Math.min(done / total, 1))}`;
    return `Rebuilding: ${done} of about ${counted(total, 'interaction')}${share}`;
  }
  const seconds = startedAt === null ? null : (finishedAt.getTime() - startedAt.getTime()) / 1_000;
  const end = `ended at ${finishedAt.toISOString()}`;
  return `The rebuild ${end}: ${counted(done, 'interaction')} in ${duration(seconds)}`;
}
