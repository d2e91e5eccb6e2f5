import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand, runProcess, startCommand } from './run-command.ts';

// The commands for authors of bots need no system.
const samples = resolve(import.meta.dirname, '../../bot/samples');
const sample = join(samples, 'nps-follow-up.json');
const appointment = join(samples, 'appointment-reminder.json');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-bot-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const file = async (name: string, content: unknown): Promise<string> => {
  const path = join(folder, name);
  await writeFile(
    path,
    typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content),
  );
  return path;
};
const bot = (args: string[], input = '') => runCommand(['bot', ...args], { input, cwd: folder });
const draft = (steps: unknown[], more: object = {}) => {
  return { schemaVersion: 1, key: 'test', name: 'Test', type: 'Test', ...more, steps };
};

describe('validate', () => {
  test('accepts valid definitions, one file or several', async () => {
    const one = await bot(['validate', sample, '--json']);
    expect(one).toMatchObject({ exitCode: 0, stderr: '' });
    const verdict = { valid: true, key: 'nps-follow-up', context: ['productName'] };
    expect(JSON.parse(one.stdout)).toMatchObject(verdict);
    const two = await bot(['validate', sample, appointment, '--json']);
    expect(JSON.parse(two.stdout)).toMatchObject([verdict, { valid: true, file: appointment }]);
    const { stdout } = await bot(['validate', sample, appointment]);
    expect(stdout).toMatch(
      /nps-follow-up\.json is a valid bot definition: nps-follow-up, \d+ steps\n.*appoin/,
    );
  });

  test('warns of a step that a conversation may not reach because of its size', async () => {
    const text = '{{context.c}}{{context.c}}';
    const says = Array.from({ length: 98 }, (_, n) => ({ id: `s${n}`, kind: 'say', text }));
    await file('long.json', draft([...says, { id: 'end', kind: 'end' }], { context: [{ name: 'c' }] }));
    const { exitCode, stderr } = await bot(['validate', 'long.json']);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^warning: .*long\.json:1:\d+: \/steps\/51: .*may end before the step "s51"/);
    const { stdout } = await bot(['validate', 'long.json', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ valid: true, warnings: [{ pointer: '/steps/51', line: 1 }] });
  });

  test('prints all faults in the order of the file, each with its place and line', async () => {
    await file(
      'faulty.json',
      `{
  "schemaVersion": 2, "key": "k", "name": "n", "type": "t",
\t"name": "again",
  "steps": [
    { "id": "a~/b", "kind": "say", "text": "Hi" },
    { "id": "ask", "kind": "ask",
      "input": { "type": "text" } },
    { "id": "end", "kind": "end", "txt": "Bye" }
  ]
}`,
    );
    const { exitCode, stdout, stderr } = await bot(['validate', 'faulty.json']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toEqual([
      'parley: faulty.json is not a valid bot definition: 5 faults',
      'faulty.json:2:20: /schemaVersion: Must be 1',
      '  2 |   "schemaVersion": 2, "key": "k", "name": "n", "type": "t",',
      '    |                    ^',
      'faulty.json:3:2: /name: Is repeated',
      '  3 | \t"name": "again",',
      '    | \t^^^^^^',
      expect.stringMatching(/^faulty\.json:5:13: \/steps\/0\/id: Letters, digits, _ and -/),
      '  5 |     { "id": "a~/b", "kind": "say", "text": "Hi" },',
      '    |             ^^^^^^',
      'faulty.json:6:5: /steps/1/text: Is required',
      '  6 |     { "id": "ask", "kind": "ask",',
      '    |     ^',
      expect.stringMatching(/^faulty\.json:8:35: \/steps\/2\/txt: "txt" is not a known field; known: /),
      '  8 |     { "id": "end", "kind": "end", "txt": "Bye" }',
      '    |                                   ^^^^^',
    ]);
  });

  test('prints the faults of all files as JSON', async () => {
    const content = JSON.stringify(draft([{ id: 'end', kind: 'end', when: 'answers.x' }]));
    const faulty = await file('for-programs.json', content);
    const { exitCode, stdout, stderr } = await bot(['validate', sample, faulty, '--json']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    const { error } = JSON.parse(stderr) as { error: unknown };
    const fault = (pointer: string, at: string) => {
      return { pointer, detail: expect.any(String), file: faulty, line: 1, column: content.indexOf(at) + 1 };
    };
    expect(error).toEqual({
      type: 'invalid-definition',
      message: '1 of 2 files are not valid bot definitions: 2 faults',
      faults: [fault('/steps/0', '{"id"'), fault('/steps/0/when', '"answers.x"')],
    });
  });

  test.each([
    ['{\n  "key": \n}', '3:1: Expected a value'],
    ['{ "a": 1 "b": tru,\n // c\n}', '1:10: A comma'],
    ['{ "a": tru }', '1:8: This is not a JSON value'],
    ['{\n // c\n}', '2:2: JSON has no comm'],
    ['{"a": "b', '1:7: The JSON ends too early'],
    ['{"a": {\n', '2:1: The JSON ends too early'],
    ['{} {}', '1:4: Unexpected text after the JSON value'],
  ])('prints where %j is not JSON', async (content, place) => {
    await file('broken.json', content);
    const { exitCode, stderr } = await bot(['validate', 'broken.json']);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^parley: broken\.json is not JSON\n/);
    const places = stderr.split('\n').filter((line) => line.startsWith('broken.json:'));
    expect(places).toEqual([expect.stringContaining(`broken.json:${place}`)]);
  });

  test('ignores a byte order mark', async () => {
    await file('marked.json', `\ufeff${await readFile(sample, 'utf8')}`);
    expect((await bot(['validate', 'marked.json'])).exitCode).toBe(0);
  });

  test('rejects a file that is not UTF-8', async () => {
    const text = await readFile(sample, 'utf8');
    await file('latin.json', Buffer.from(text.replace('NPS', 'N\u00fc'), 'latin1'));
    const stderr = 'parley: latin.json is not UTF-8: save it in this character set\n';
    expect(await bot(['validate', 'latin.json'])).toEqual({ exitCode: 1, stdout: '', stderr });
  });

  test('rejects a file above the size limit', async () => {
    await file('huge.json', ' '.repeat(1024 * 1024 + 1));
    expect((await bot(['validate', 'huge.json'])).stderr).toMatch(/^parley: huge\.json has 1048577 bytes/);
  });

  test('rejects deep nesting', async () => {
    await file('deep.json', '['.repeat(200_000));
    const { exitCode, stderr } = await bot(['validate', 'deep.json']);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^parley: deep\.json is not JSON/);
  });

  test.each([
    ['absent.json', 'there is no file absent.json'],
    ['empty.json', 'empty.json is empty'],
    ['.', '. cannot be read: it is a folder'],
    ['empty.json/bot.json', 'empty.json/bot.json cannot be read: a part of its path is a file'],
  ])('says in one line why it cannot use %s', async (name, reason) => {
    await file('empty.json', ' \n');
    const stderr = `parley: ${reason}\n`;
    expect(await bot(['validate', name])).toEqual({ exitCode: 1, stdout: '', stderr });
  });

  test('reports the faults of the other files if one cannot be read', async () => {
    await file('twice.json', draft([{ id: 'end', kind: 'end', when: 'answers.x' }]));
    const files = [sample, 'absent.json', 'twice.json'];
    const { exitCode, stdout, stderr } = await bot(['validate', ...files]);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 1,
      stdout: expect.stringContaining('nps-follow-up.json is a valid bot definition'),
    });
    expect(stderr).toMatch(/^parley: 2 of 3 files are not valid bot definitions: 3 faults\n/);
    expect(stderr).toMatch(/\nthere is no file absent\.json\ntwice\.json:1:/);
    const { error } = JSON.parse((await bot(['validate', ...files, '--json'])).stderr) as { error: unknown };
    expect(error).toMatchObject({
      faults: [
        { pointer: '', detail: 'there is no file absent.json', file: 'absent.json' },
        { pointer: '/steps/0', file: 'twice.json', line: 1 },
        { pointer: '/steps/0/when', file: 'twice.json' },
      ],
    });
  });

  test('clips a long line, and replaces control characters', async () => {
    const steps = [{ id: 'end', kind: 'end', text: 'x'.repeat(300), nonsense: '\u007f\u009b31m' }];
    await file('long.json', draft(steps));
    const { stderr } = await bot(['validate', 'long.json']);
    const [, , line = '', carets = ''] = stderr.split('\n');
    expect(line.length).toBeLessThan(110);
    expect(line).toMatch(/^ {2}1 \|…x+","nonsense":"··31m/);
    expect(carets.indexOf('^')).toBe(line.indexOf('"nonsense"'));
  });
});

describe('simulate', () => {
  test('runs a script, whose values the options override', async () => {
    const answers = await file('answers.json', {
      customer: { firstName: 'Mia' },
      context: { productName: 'Skylark' },
      answers: [{ stepId: 'score', value: 9 }, 'Fast'],
      model: [{ label: 'service' }],
    });
    const { exitCode, stdout } = await bot(['simulate', sample, '--answers', answers, '--json']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      transcript: expect.arrayContaining([{ type: 'customer', body: 'Fast' }]),
      evaluation: { nps_score: '9', nps_segment: 'promoter', reason: 'Fast', theme: 'service' },
      ended: true,
      rejected: [],
    });
    const shown = await bot(['simulate', sample, '--answers', answers, '--customer', 'first=Zoë']);
    expect(shown.stdout).toMatch(/^bot {2}Hi Zoë! .*Skylark/);
    expect(shown.stdout).toMatch(/^The conversation has ended\.$/m);
  });

  test('rejects an invalid script, with all faults by line', async () => {
    await file(
      'no-script.json',
      '{"answers": ["fine", 7, {"value": 1, "text": "x"}],\n "nonsense": 1, "model": {}}',
    );
    const { exitCode, stderr } = await bot(['simulate', sample, '--answers', 'no-script.json', '--json']);
    expect(exitCode).toBe(1);
    const { error } = JSON.parse(stderr) as { error: { faults: { pointer: string; line: number }[] } };
    const places = error.faults.map(({ pointer, line }) => [pointer, line]);
    expect(places).toEqual([
      ['/answers/1', 1],
      ['/answers/2/text', 1],
      ['/model', 2],
      ['/nonsense', 2],
    ]);
  });

  test('shows numbered choices, repeats a question after a rejected answer, and exits at the end', async () => {
    const input = '2\nsoon\n2999-01-01\n9\n3\nn\n';
    const { exitCode, stdout } = await runProcess(['bot', 'simulate', appointment], { input });
    expect(exitCode).toBe(0);
    expect(stdout).toContain("     2  I need another time\n     3  I'd like to cancel\n");
    expect(stdout).toContain('you  soon\nbot  Please give me a day from today on');
    expect(stdout).toContain('you  9\n     Please choose from the options.\n     1  Morning\n');
    expect(stdout).toMatch(/The conversation has ended\.\n\nappointment_status +reschedule\n/);
    expect(stdout).toMatch(/preferred_date +2999-01-01\npreferred_slot +any\n$/);
  });

  test('a number selects the choice of that name before the choice of that position', async () => {
    const choices = ['3', '2', '1'].map((value) => ({ value, label: value }));
    const steps = [
      { id: 'stars', kind: 'ask', text: 'Stars?', input: { type: 'choice', choices }, evaluation: 'stars' },
      { id: 'end', kind: 'end' },
    ];
    const path = await file('stars.json', draft(steps, { evaluation: { stars: {} } }));
    const { stdout } = await bot(['simulate', path, '--json'], '3\n');
    expect(JSON.parse(stdout)).toMatchObject({ ended: true, evaluation: { stars: '3' } });
  });

  test('an empty line selects nothing where that is valid', async () => {
    const choices = ['a', 'b'].map((value) => ({ value, label: value.toUpperCase() }));
    const input = { type: 'multiChoice', choices, minSelections: 0 };
    const steps = [
      { id: 'one', kind: 'ask', text: 'Which?', input, evaluation: 'one' },
      { id: 'two', kind: 'ask', text: 'And?', input, evaluation: 'two' },
      { id: 'end', kind: 'end' },
    ];
    const path = await file('none.json', draft(steps, { evaluation: { one: {}, two: {} } }));
    const { stdout } = await bot(['simulate', path, '--json'], '\nnone\n');
    expect(JSON.parse(stdout)).toMatchObject({ ended: true, rejected: [], evaluation: { one: '', two: '' } });
    expect((await bot(['simulate', path])).stdout).toContain('with commas between; empty for none)');
  });

  test('stops at the end of the answers, and prints the open question', async () => {
    const { exitCode, stdout } = await bot(['simulate', sample, '--json'], '3\n');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ ended: false, input: { stepId: 'why' } });
    expect((await bot(['simulate', sample], '3\n')).stdout).toContain(
      '\nThe conversation waits at why (text, ',
    );
  });

  test('Ctrl-C ends the conversation', async () => {
    const command = startCommand(['bot', 'simulate', sample]);
    await once(command.stdout, 'data');
    command.signal('SIGINT');
    const { exitCode, stdout } = await command.outcome;
    expect(exitCode).toBe(0);
    expect(stdout).toContain('The conversation waits at score');
  });

  test('a person who plays the model sees the valid answers', async () => {
    const { stdout } = await bot(['simulate', sample, '--as-model'], '9\nFast\nspeed\nservice\n');
    expect(stdout).toContain('theme (a label: price | quality | service | delivery | other; ');
    expect(stdout).toContain(
      'llm  speed\n     "label" must be one of price, quality, service, delivery, other.\n',
    );
    expect(stdout).toMatch(/^theme +service$/m);
  });

  test.each([
    [['--context', 'colour=red'], /no context property colour; it declares productName/],
    [['--context', 'productName'], /productName is not name=value/],
    [['--customer', 'age=7'], /a customer has no age/],
    [['--locale', 'not a tag'], /is not a language tag/],
  ])('%j is wrong usage', async (args, message) => {
    const { exitCode, stdout, stderr } = await bot(['simulate', sample, ...args]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});

describe('new and schema', () => {
  test('new writes a valid bot and its schema, and replaces no file', async () => {
    const path = join(folder, 'My First Bot.json');
    const { exitCode, stdout } = await bot(['new', path, '--json']);
    expect(exitCode).toBe(0);
    const schemaFile = join(folder, 'bot-v1.schema.json');
    expect(JSON.parse(stdout)).toEqual({ file: path, schemaFile, key: 'my-first-bot', name: 'My First Bot' });
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ $schema: './bot-v1.schema.json' });
    expect((await bot(['validate', path])).exitCode).toBe(0);

    await writeFile(path, 'mine');
    const again = await bot(['new', path]);
    expect(again).toMatchObject({ exitCode: 1, stderr: `parley: ${path} already exists\n` });
    expect(await readFile(path, 'utf8')).toBe('mine');
    expect((await bot(['schema'])).stdout).toBe(await readFile(schemaFile, 'utf8'));
  });

  test('new takes the name from its option, else from the file', async () => {
    const named = join(folder, 'named.json');
    const answer = await bot(['new', named, '--name', 'Your visit, Zoë?']);
    expect(answer).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(await readFile(named, 'utf8'))).toMatchObject({
      key: 'named',
      name: 'Your visit, Zoë?',
    });
    const plain = join(folder, 'after-your_visit.json');
    expect(await bot(['new', plain])).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(await readFile(plain, 'utf8'))).toMatchObject({ name: 'After your visit' });
    const unnamed = await bot(['new', join(folder, 'unnamed.json'), '--name', ' ']);
    expect([unnamed.exitCode, unnamed.stderr]).toEqual([2, expect.stringContaining('1 to 200 characters')]);
    expect(await readdir(folder)).not.toContain('unnamed.json');
  });
});

test('under npm, files are relative to the folder where the command was typed', async () => {
  const byNpm = (script: string) => ({ npm_lifecycle_event: script, INIT_CWD: folder });
  const run = (args: string[], env = byNpm('parley')) => runCommand(['bot', ...args], { env });
  expect(await run(['new', 'typed-here.json'])).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await readdir(folder)).toContain('typed-here.json');
  await file('typed-answers.json', ['5']);
  const { stdout } = await run(['simulate', 'typed-here.json', '--answers', 'typed-answers.json']);
  expect(stdout).toContain('The conversation has ended.');
  await file('typed-wrong.json', '{');
  expect((await run(['validate', 'typed-wrong.json'])).stderr).toContain('\ntyped-wrong.json:1:2: ');
  // Another npm script runs in its own folder.
  expect((await run(['validate', 'typed-here.json'], byNpm('check'))).exitCode).toBe(1);
});
