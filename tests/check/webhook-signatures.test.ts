import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';

// The signatures that docs/webhooks.md computes, in the languages that this machine has.

const page = readFileSync(resolve(import.meta.dirname, '../../docs/webhooks.md'), 'utf8');
const codeIn = (language: string): string =>
  new RegExp(`^\\\`\\\`\\\`${language}\\n(.*?)^\\\`\\\`\\\``, 'ms').exec(page)?.[1] ?? '';

interface Language {
  name: string;
  command: readonly string[];
  extension: string;
  /** Returns a program that reads id, timestamp and secret from its arguments and the body from its input. */
  program: (code: string) => string;
}

const goImports = ['crypto/hmac', 'crypto/sha256', 'encoding/base64', 'fmt', 'io', 'os', 'strings'];
const languages: readonly Language[] = [
  {
    name: 'python',
    command: ['python3'],
    extension: 'py',
    program: (code) =>
      `import base64, hmac, sys\nid, timestamp, secret = sys.argv[1:]\nbody = sys.stdin.buffer.read()\n${code}print(signature)`,
  },
  {
    name: 'go',
    command: ['go', 'run'],
    extension: 'go',
    program: (code) => `package main
import (${goImports.map((name) => `"${name}"`).join('; ')})
func main() {
id, timestamp, secret := os.Args[1], os.Args[2], os.Args[3]
body, _ := io.ReadAll(os.Stdin)
${code}fmt.Println(signature)
}`,
  },
  {
    name: 'php',
    command: ['php'],
    extension: 'php',
    program: (code) =>
      `<?php\n[, $id, $timestamp, $secret] = $argv;\n$body = stream_get_contents(STDIN);\n${code}echo $signature;`,
  },
  {
    name: 'ruby',
    command: ['ruby'],
    extension: 'rb',
    program: (code) =>
      `require 'openssl'\nid, timestamp, secret = ARGV\nbody = $stdin.binmode.read\n${code}puts signature`,
  },
];
const isHere = ({ command: [program = ''] }: Language): boolean =>
  spawnSync(program, ['--version']).error === undefined;

test.each(languages)('the code for $name in docs/webhooks.md has at most four lines', ({ name }) => {
  const lines = codeIn(name).trimEnd().split('\n');
  expect(lines[0]).not.toBe('');
  expect(lines.length).toBeLessThanOrEqual(4);
});

test.each(languages.filter(isHere))(
  'the code for $name in docs/webhooks.md computes a signature',
  async (language) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'parley-signature-'));
    const file = join(folder.path, `signature.${language.extension}`);
    writeFileSync(file, language.program(codeIn(language.name)));
    const secret = `whsec_${Buffer.from('a key with any bytes \u00ff\u0000 in it').toString('base64')}`;
    const body = '{"customer_id": "\u00e9\ud83d\ude00 $body #{body} %s"}';
    const timestamp = 1_795_253_400;
    const [program = '', ...args] = language.command;
    const printed = execFileSync(program, [...args, file, 'an-id', String(timestamp), secret], {
      input: body,
    });
    expect(printed.toString().trim()).toBe(
      new Webhook(secret).sign('an-id', new Date(timestamp * 1_000), body),
    );
  },
);
