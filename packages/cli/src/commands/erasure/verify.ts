import type { Command } from 'commander';
import { Failure, usageFailure } from '../../failure.ts';
import { pairs, print, utc } from '../../output.ts';
import { parseKeys, parseReceipt, type SignedErasure, verifyReceipt } from '../../receipt.ts';
import type { Shell } from '../../shell.ts';
import type { GlobalOptions } from '../../target.ts';
import { readText } from '../../files/text-file.ts';

const example = `
Examples:
  parley erasure verify receipt.json --keys erasure-keys.json
  parley erasure verify receipt.jws --url https://api.example.com

FILE has the receipt, or the JSON of the erasure: then its fields must be those that were signed.
With --keys, the command needs no network. Save the keys with each receipt, as a rotation adds one:

  curl -o erasure-keys.json https://api.example.com/.well-known/parley/erasure-keys

Exit codes: 0 the receipt is valid, 1 it is not, 2 wrong usage.`;

interface VerifyOptions extends GlobalOptions {
  keys?: string;
  url?: string;
}

const keysTimeoutMs = 15_000;

export function addVerify(erasure: Command, shell: Shell): void {
  erasure
    .command('verify')
    .description('verify the receipt of an erasure')
    .argument('<file>', 'the receipt, or the JSON of the erasure')
    .option('--keys <file>', 'the saved public keys')
    .option('--url <url>', 'the address of the API that publishes the keys (PARLEY_URL)')
    .addHelpText('after', example)
    .action(async (file: string, _, command: Command) => {
      const options = command.optsWithGlobals<VerifyOptions>();
      if (options.keys !== undefined && options.url !== undefined)
        throw usageFailure('pass either --keys or --url');
      const url = options.url ?? shell.env['PARLEY_URL'];
      if (options.keys === undefined && !url) throw usageFailure('pass --keys FILE, or --url URL');
      const saved = parseReceipt(await readText(file, shell), file);
      const source = options.keys ?? `${url?.replace(/\/$/, '')}/.well-known/parley/erasure-keys`;
      const text = options.keys === undefined ? await load(source) : await readText(source, shell);
      const { kid, erasure } = await verifyReceipt(saved, parseKeys(text, source), source);
      const heading = `The receipt is valid: signed with the key ${kid} of ${source}`;
      print(
        shell,
        options.json,
        { isValid: true, kid, keys: source, erasure },
        `${heading}\n\n${described(erasure)}`,
      );
    });
}

async function load(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(keysTimeoutMs) });
    if (response.ok) return await response.text();
    throw new Error(`status ${response.status}`);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Failure(`The keys at ${url} cannot be read: ${reason}`, { type: 'unreadable-keys', cause });
  }
}

function described({ stores, requestedAt, completedAt, ...fields }: SignedErasure): string {
  const removed = stores.map(({ store, removed: number }) => `${store} ${number}`).join(', ');
  return pairs({ ...fields, requestedAt: utc(requestedAt), completedAt: utc(completedAt), removed });
}
