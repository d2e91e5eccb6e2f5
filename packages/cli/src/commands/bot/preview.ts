import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type Command, Option } from 'commander';
import { Failure, usageFailure } from '../../failure.ts';
import { pathOf } from '../../files/named-file.ts';
import { print, printFailure, printWarnings } from '../../output.ts';
import { landingScripts } from '../../preview/landing-script.ts';
import { servePreview } from '../../preview/server.ts';
import { Workbench } from '../../preview/workbench.ts';
import type { Shell } from '../../shell.ts';
import {
  addStartOptions,
  beginningOf,
  readStartOptions,
  type StartOptions,
} from '../../conversation/start-options.ts';
import type { GlobalOptions } from '../../target.ts';

const example = `
Example:
  parley bot preview feedback.json --open --context productName=Skylark --customer first=Ada

The page shows the conversation as customers see it, with its answers and evaluation.
When the file changes, the conversation restarts with the answers so far. Faults and
warnings appear on the page and here, and the page has a map of the steps. With --as-model
you answer the llm steps on the page. The server listens on this machine only and stores
nothing. Ctrl-C ends it.`;

interface PreviewOptions extends GlobalOptions, StartOptions {
  port: number;
  open?: boolean;
  asModel?: boolean;
}

/** Editors save with several writes, or replace the file. */
const settleMs = 50;

/** Calls back when the file may have changed, until disposal. */
function watchFile(file: string, onChange: () => void): Disposable {
  let timer: NodeJS.Timeout | undefined;
  // Watches the folder, because the watch of a file ends when an editor replaces it.
  const watcher = watch(dirname(file), (_, name) => {
    if (name !== null && name !== basename(file)) return;
    clearTimeout(timer);
    timer = setTimeout(onChange, settleMs);
  });
  return {
    [Symbol.dispose]: () => {
      watcher.close();
      clearTimeout(timer);
    },
  };
}

export function addPreview(bot: Command, shell: Shell): void {
  const command = bot
    .command('preview')
    .description('try a bot in the browser while you write it, without a system')
    .argument('<file>', 'the definition, as JSON or YAML')
    .addOption(new Option('--port <port>', 'the port').argParser(readPort).default(0, 'a free one'))
    .option('--open', 'open the page in the browser')
    .option('--as-model', 'answer the llm steps, too; without it they fail')
    .addHelpText('after', example);
  addStartOptions(command).action(async (file: string, _, command: Command) => {
    const options = command.optsWithGlobals<PreviewOptions>();
    const workbench = new Workbench({
      file,
      shell,
      beginningOf: (definition) => beginningOf(readStartOptions(options, definition)),
      isModelPlayed: options.asModel ?? false,
    });
    const first = await workbench.reload();
    const failure = typeof first === 'object' && 'failure' in first ? first.failure : undefined;
    if (failure && !failure.faults) throw failure;
    using _watch = watchFile(pathOf(file, shell), () => void reload(workbench, options.json, shell));
    await using server = await servePreview(workbench, await landingScripts(), options.port);
    const { url } = server;
    print(shell, options.json, { url }, `The preview of ${file} is at ${url}\nCtrl-C ends it.`);
    if (failure) printFailure(shell, false, failure);
    if (typeof first === 'object' && 'read' in first && !options.json) {
      printWarnings(shell, first.read.warnings);
    }
    if (options.open) openInBrowser(url, shell);
    await Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(shell, signal)));
  });
}

async function reload(workbench: Workbench, json: boolean | undefined, shell: Shell): Promise<void> {
  const outcome = await workbench.reload();
  if (json || outcome === 'unchanged') return;
  if ('failure' in outcome) return printFailure(shell, false, outcome.failure);
  const { file, definition, warnings } = outcome.read;
  print(shell, false, undefined, `Reloaded ${file}: ${definition.key}, ${definition.steps.length} steps`);
  printWarnings(shell, warnings);
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw usageFailure(`--port: ${text} is not a port`);
  return port;
}

function openInBrowser(url: string, shell: Shell): void {
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  spawn(opener, [url], { stdio: 'ignore', detached: true })
    .on('error', () =>
      printFailure(shell, false, new Failure(`${opener} failed: open ${url}`, { type: 'no-browser' })),
    )
    .unref();
}
