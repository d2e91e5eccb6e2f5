import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from './run-command.ts';

// Faults that are found without the API. Runs against a system are in tests/bulk-files.e2e.test.ts.

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
      '5:14 status: Must be one of: Draft, Pending, InProgress, Completed, Expired',
      `5:9 expiry: ${noExpiry}`,
      '6:1 customerId: Must not be . or ..',
      `6:17 expiry: ${noExpiry}`,
    ]);
  });

  test.each([
    [
      'an unknown column',
      'customerId,color\na,red',
      [/^1:12 color: Is not a known column; known: customerId, /],
    ],
    ['a column twice', 'customerId,email,email\n', [/^1:18 email: There are two columns of this name/]],
    ['a column without a name', 'customerId,\na,', [/^1:12 : The column has no name/]],
    ['no column for the customer', 'email\na@example.com', [/^1:1 customerId: The column is missing/]],
    ['a row with too few cells', 'customerId,email\na', [/^2:1 : The row has 1 cells, and the header has 2/]],
    ['a row with too many cells', 'customerId\na,b', [/^2:1 : The row has 2 cells, and the header has 1/]],
    [
      'a quote that is not closed',
      'customerId,email\na,"b\nc,d',
      [/^2:3 : The quotation mark is not closed/],
    ],
    ['a quote inside a cell', 'customerId,email\na,b"c"\n', [/^2:3 : Has a quotation mark/]],
    ['a quote that the next one closes', 'customerId,email\na,"b\nc,"d"\n', [/^2:3 : Has a quotation mark/]],
    ['a lost character', 'customerId\nJ\ufffdrg', [/^2:1 : Has U\+FFFD/]],
    ['no content', '', [/^1:1 : The file is empty/]],
    [
      'a row without a bot',
      'customerId,botKey\na,nps\nb,',
      [/^3:\d botKey: Exactly one of botKey and botId is required/],
    ],
  ])('with %s is rejected', async (_, content, expected) => {
    const faults = await faultsOf('b.csv', content);
    expect(faults).toEqual(expected.map((one) => expect.stringMatching(one)));
  });

  test.each(['86.400', '0x10', '1e3', '1.5d', '-1'])('takes %s for no expiry', async (expiry) => {
    const content = `customerId;expiry\na;30d\nb;2 days\nc;86400\nd;${expiry}`;
    expect(await faultsOf('g.csv', content, '--bot', 'nps')).toEqual([`5:3 expiry: ${noExpiry}`]);
  });

  test('does not replace what another row says about the same customer', async () => {
    const content = 'customerId,firstName,email\na,Ada,\na,,a@example.com\nb,Eva,\na,Eva,a@example.com';
    expect(await faultsOf('h.csv', content, '--bot', 'nps')).toEqual([
      '5:3 firstName: Line 2 has another value for this customer',
    ]);
  });

  test('may begin with empty lines, or with the separator', async () => {
    for (const begin of ['\r\n;;\r\n', 'sep=;\r\n\r\n']) {
      const content = `${begin}customerId;firstName\r\n.;"a,b"\r\n`;
      expect(await faultsOf('i.csv', content, '--bot', 'nps')).toEqual([
        '4:1 customerId: Must not be . or ..',
      ]);
    }
  });

  test('from a spreadsheet has semicolons and a byte order mark', async () => {
    const content = '\ufeffcustomerId;firstName;context.note\r\nä;"a;b";x,y\r\n;;\r\n.;;\r\n';
    expect(await faultsOf('c.csv', content, '--bot', 'nps')).toEqual(['4:1 customerId: Must not be . or ..']);
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
