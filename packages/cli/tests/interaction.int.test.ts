import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from './run-command.ts';

// Faults that are found without the API. Runs against a system are in tests/interactions/bulk-files.e2e.test.ts.

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-bulk-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs `interaction create` on a file with this content, without an API. */
async function createFrom(name: string, content: string | Buffer, ...args: string[]) {
  await writeFile(join(folder, name), content);
  return runCommand(['interaction', 'create', '--file', name, ...args], {
    cwd: folder,
    env: {
      PARLEY_URL: 'http://127.0.0.1:1',
      PARLEY_WORKSPACE: '0190',
      PARLEY_API_KEY: 'key',
      PARLEY_API_SECRET: 'secret',
    },
  });
}

/** Returns the places and texts of the faults that a run prints. */
async function faultsOf(name: string, content: string, ...args: string[]): Promise<string[]> {
  const { exitCode, stdout, stderr } = await createFrom(name, content, '--json', ...args);
  expect([exitCode, stdout]).toEqual([1, '']);
  const { error } = JSON.parse(stderr) as {
    error: { message: string; faults: { line: number; column: number; pointer: string; detail: string }[] };
  };
  expect(error.message).toContain('nothing was sent');
  return error.faults.map(({ line, column, pointer, detail }) => `${line}:${column} ${pointer}: ${detail}`);
}

const noExpiry = 'Must be a number of seconds, or in a CSV file of days, such as 30d';

describe('a CSV file', () => {
  test('has the places of all faults, by line and column, also after cells with line breaks', async () => {
    const rows = [
      'customerId,email,expiry,status,context.note',
      'a,a@example.com,60,Pending,"one',
      'two ""quoted"", three"',
      '',
      ',nobody,soon,Nope,x',
      '.,b@example.com,-1,,',
    ];
    expect(await faultsOf('a.csv', rows.join('\r\n'), '--bot', 'nps')).toEqual([
      '5:1 customerId: Is required',
      '5:2 email: Must be an email address',
      `5:9 expiry: ${noExpiry}`,
      '5:14 status: Must be one of: Draft, Pending, InProgress, Completed, Expired',
      '6:1 customerId: Must not be . or ..',
      `6:17 expiry: ${noExpiry}`,
    ]);
  });

  test('does not replace what another row says about the same customer', async () => {
    const content = 'customerId,firstName,email\na,Ada,\na,,a@example.com\nb,Eva,\na,Eva,a@example.com';
    expect(await faultsOf('h.csv', content, '--bot', 'nps')).toEqual([
      '5:3 firstName: Line 2 has another value for this customer',
    ]);
  });

  test('of which a row names no bot says how to name it', async () => {
    expect(await faultsOf('b.csv', 'customerId,botKey\na,nps\nb,')).toEqual([
      '3:3 botKey: Exactly one of botKey and botId is required: name the bot in the file, or with --bot',
    ]);
  });

  test('from a spreadsheet may have a line sep=, a byte order mark and UTF-16', async () => {
    const content = 'sep=;\r\n\r\ncustomerId;firstName\r\nä;"a;b"\r\n;;\r\n.;\r\n';
    for (const encoding of ['utf8', 'utf16le'] as const) {
      const { stderr } = await createFrom('c.csv', Buffer.from(`\ufeff${content}`, encoding), '--bot', 'nps');
      expect(stderr).toContain('c.csv:6:1: customerId: Must not be . or ..');
    }
  });

  test('in another encoding is rejected', async () => {
    const { exitCode, stderr } = await createFrom('d.csv', Buffer.from('customerId\nä', 'latin1'));
    expect([exitCode, stderr]).toEqual([1, 'parley: d.csv is not UTF-8: save it in this character set\n']);
  });

  test('without any bot is rejected once, not for each row', async () => {
    const { exitCode, stderr } = await createFrom('f.csv', 'customerId\na\nb');
    const reason = 'f.csv names no bot: pass --bot KEY, or name it in the file';
    expect([exitCode, stderr]).toEqual([1, `parley: ${reason}\n`]);
  });

  test('with many faults shows the first hundred', async () => {
    const content = `customerId\n${'.\n'.repeat(150)}`;
    const { stderr } = await createFrom('e.csv', content, '--bot', 'nps');
    expect(stderr).toContain('e.csv has 150 faults, of which the first 100 follow; nothing was sent');
    expect(stderr.match(/Must not be/g)).toHaveLength(100);
  });
});

test('an NDJSON file has the places of all faults', async () => {
  const good = '{"customerId": "a", "botKey": "nps"}';
  const lines = [good, '{"customerId": "a" "x"}', '', '{"customerId": "a", "customerId": "b"}', good];
  expect(await faultsOf('a.ndjson', lines.join('\n'))).toEqual([
    '2:20 : A comma is missing before this.',
    expect.stringMatching(/^4:21 \/customerId: /),
  ]);
  const rejected = [
    '{"customerId": "a", "colour": "red"}',
    '[]',
    '{"customerId": "a", "botKey": "b", "expiry": -1}',
  ];
  expect(await faultsOf('b.ndjson', rejected.join('\n'), '--bot', 'nps')).toEqual([
    expect.stringMatching(/^1:21 \/colour: "colour" is not a known field; known: customerId, /),
    '2:1 : Must be an object',
    '3:46 /expiry: Must not be negative',
  ]);
});

test.each([
  [['--file', 'x.txt'], '--file: x.txt must end in .csv, .ndjson or .jsonl'],
  [[], "required option '--file <file>' not specified"],
  [['--file', 'a.csv', '--status', 'Nope'], "option '--status <status>' argument 'Nope' is invalid"],
  [['--file', 'a.csv', '--expiry', 'soon'], '--expiry: soon is neither a number of seconds nor of days'],
  [['--file', 'a.csv', '--expiry', '0x10'], '--expiry: 0x10 is neither a number of seconds nor of days'],
])('%j is a wrong use', async (args, message) => {
  const { exitCode, stderr } = await runCommand(['interaction', 'create', ...args], {
    cwd: folder,
    env: { PARLEY_URL: 'http://127.0.0.1:1', PARLEY_API_KEY: 'key', PARLEY_API_SECRET: 'secret' },
  });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
});
