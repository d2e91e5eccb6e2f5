import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { runCommand } from '../../packages/cli/tests/run-command.ts';

// Contract 2, section 10: bots, read back.

interface Version {
  version: number;
  publishedBy: string;
  note: string | null;
  isLive: boolean;
  restoredFrom: number | null;
  digest: string;
  definition?: unknown;
}

const { baseUrl } = inject('local');
const choices = (...values: string[]) => values.map((value) => ({ value, label: value.toUpperCase() }));
const feedback = {
  schemaVersion: 1,
  key: 'feedback',
  name: 'Feedback',
  type: 'Feedback',
  steps: [
    {
      id: 'size',
      kind: 'ask',
      text: 'Which size?',
      input: { type: 'choice', choices: choices('s', 'l') },
      next: [{ if: "answers.size == 'l'", goto: 'large' }, { else: 'bye' }],
    },
    { id: 'large', kind: 'say', text: 'Large!' },
    { id: 'bye', kind: 'end', text: 'Bye' },
  ],
};
const [size, large, bye] = feedback.steps;
// Layout, escapes and spellings that no program writes again in the same way.
const text = `${JSON.stringify(feedback, null, 3)
  .replace('"Bye"', String.raw`"\u0042ye"`)
  .replace('"schemaVersion": 1', '"schemaVersion":1.0')}\n`;

let workspace: TestWorkspace;
let folder: string;
beforeAll(async () => {
  workspace = await createWorkspace(baseUrl, inject('operator'));
  folder = await mkdtemp(join(tmpdir(), 'parley-bot-versions-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs `parley bot` with the API key of the workspace, in the folder. */
const parley = (...args: string[]) =>
  runCommand(['bot', ...args], {
    cwd: folder,
    env: {
      PARLEY_URL: baseUrl,
      PARLEY_API_KEY: workspace.apiKey,
      PARLEY_API_SECRET: workspace.apiSecret,
    },
  });
const succeeds = async (...args: string[]) => {
  const { exitCode, stdout, stderr } = await parley(...args);
  expect([exitCode, stderr]).toEqual([0, '']);
  return stdout;
};
/** Succeeds with a warning. */
const warns = async (warning: string, ...args: string[]) => {
  const { exitCode, stdout, stderr } = await parley(...args);
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining(warning)]);
  return stdout;
};
const save = (name: string, content: unknown) =>
  writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2));

describe('over the API', () => {
  test('versions keep their definition byte for byte, and one that is restored becomes a new one', async () => {
    const own = await createWorkspace(baseUrl, inject('operator'));
    const { id } = (await own.api.post<{ id: string }>('/bots', text)).body.data;
    const path = `/bots/${id}/versions`;
    const renamed = { ...feedback, name: 'Other', note: 'Renamed', expectedVersion: 1 };
    expect((await own.api.post(path, renamed)).body.data).toMatchObject({ version: 2, name: 'Other' });
    const refused = await own.api.post(path, { ...renamed, name: 'Third' });
    expect([refused.status, refused.body.type]).toEqual([409, 'unexpected-bot-version']);
    const restored = await own.api.post(path, { restore: 1, expectedVersion: 2 });
    expect(restored.body.data).toMatchObject({ version: 3, name: 'Feedback' });

    const { data } = (await own.api.get<Version[]>(path)).body;
    const known = { publishedBy: own.apiKey, publishedAt: expect.any(String) };
    const [third, second, first] = data;
    expect(data).toEqual([
      { ...known, version: 3, note: null, isLive: true, restoredFrom: 1, digest: first?.digest },
      { ...known, version: 2, note: 'Renamed', isLive: false, restoredFrom: null, digest: second?.digest },
      { ...known, version: 1, note: null, isLive: false, restoredFrom: null, digest: first?.digest },
    ]);
    expect(second?.digest).not.toBe(first?.digest);
    expect((await own.api.get(`${path}/3`)).body.data).toEqual({
      ...third,
      key: 'feedback',
      definition: feedback,
    });
    expect((await own.api.get<Version>(`${path}/2`)).body.data.definition).toEqual({
      ...feedback,
      name: 'Other',
    });
    for (const unknown of ['4', '0', 'x', '99999999999'])
      expect((await own.api.get(`${path}/${unknown}`)).status).toBe(404);
    expect((await own.api.post(path, { restore: 9 })).body.errors).toEqual([
      { pointer: '/restore', detail: 'The bot has no version 9' },
    ]);
    const faulty = await own.api.post(path, { definition: { ...feedback, type: 1 }, note: 'n' });
    expect(faulty.body.errors).toMatchObject([{ pointer: '/definition/type' }]);
  });
});

describe('from the command line with an API key', () => {
  test('a bot is published, pulled, compared, changed and rolled back', async () => {
    await save('feedback.json', text);
    expect(await succeeds('publish', 'feedback.json', '--url', baseUrl, '--check')).toBe(
      'feedback is a new bot\n',
    );
    expect(await succeeds('publish', 'feedback.json', '--url', baseUrl)).toMatch(
      /^feedback version 1 \(published\)/,
    );
    expect(await succeeds('publish', 'feedback.json', '--url', baseUrl)).toMatch(
      /^feedback version 1 \(unchanged\)/,
    );
    expect(await succeeds('pull', 'feedback')).toBe(text);
    expect(await succeeds('diff', 'feedback.json')).toBe('There are no differences.\n');

    const asked = { ...size, text: 'Size?', input: { type: 'choice', choices: choices('s', 'xl') } };
    const why = { id: 'why', kind: 'ask', text: 'Why?', input: { type: 'text' } };
    await save('feedback.json', { ...feedback, steps: [asked, large, why, bye] });
    const shown = `\
~ step size
    text
    - "Which size?"
    + "Size?"
    input.choices.1.value
    - "l"
    + "xl"
    input.choices.1.label
    - "L"
    + "XL"
+ step why
! no longer holds: /steps/0/next/0/if: "l" is no longer a value of answers.size
`;
    expect(await succeeds('diff', 'feedback.json')).toBe(shown);
    const never = 'answers.size is never "l"';
    expect(await warns(never, 'publish', 'feedback.json', '--url', baseUrl, '--check')).toBe(
      `feedback version 1:\n${shown}`,
    );
    const second = await warns(
      never,
      'publish',
      'feedback.json',
      '--url',
      baseUrl,
      '--expect',
      '1',
      '--note',
      'Ask why',
    );
    expect(second).toMatch(/^feedback version 2 \(published\), bot /);
    expect(await succeeds('diff', 'feedback', '1', '2')).toBe(shown);
    expect(await succeeds('rollback', 'feedback', '1', '--expect', '2')).toMatch(
      /^feedback version 3 \(restores 1\)/,
    );
    expect(await succeeds('pull', 'feedback', '--output', 'pulled.json')).toBe(
      'pulled.json is feedback version 3\n',
    );
    expect(await readFile(join(folder, 'pulled.json'), 'utf8')).toBe(text);
    expect(JSON.parse(await succeeds('versions', 'feedback', '--json'))).toMatchObject([
      { version: 3, restoredFrom: 1, isLive: true },
      { version: 2, note: 'Ask why', publishedBy: workspace.apiKey },
      { version: 1 },
    ]);
    expect(await succeeds('versions', 'feedback')).toMatch(
      /^VERSION +PUBLISHED .*\n3 \(live\) .*\n2 .* Ask why\n1 /,
    );
    expect(await succeeds('list')).toMatch(/^BOT +NAME .*\n\S+ +Feedback\n$/);
  });

  test('the commands of "Bots in Git" in docs/bots/versions.md work in their order', async () => {
    const own = await createWorkspace(baseUrl, inject('operator'));
    await own.publish(feedback);
    const page = await readFile(join(import.meta.dirname, '../../docs/bots/versions.md'), 'utf8');
    const lines = [...page.matchAll(/^```sh\n(?:parley )(.*)\n```$/gm)].map(([, line = '']) => line);
    expect(lines).toHaveLength(6);
    for (const line of lines) {
      const words = [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
        (word) => word[1] ?? word[2] ?? word[3] ?? '',
      );
      const args = words.map((word) => (word === '$PARLEY_URL' ? baseUrl : word));
      const { apiKey, apiSecret } = own;
      const env = { PARLEY_URL: baseUrl, PARLEY_API_KEY: apiKey, PARLEY_API_SECRET: apiSecret };
      const { exitCode, stderr } = await runCommand(args, { cwd: folder, env });
      expect([line, exitCode, stderr]).toEqual([line, 0, '']);
      if (args[1] === 'pull') await save('feedback.json', { ...feedback, name: 'Changed' });
    }
    expect((await own.client.bots.list()).data).toMatchObject([{ name: 'Feedback' }]);
  });

  test('a faulty file, an unexpected version and a wrong key are refused, and nothing is published', async () => {
    await save('faulty.json', {
      ...feedback,
      steps: [bye, { id: 'x', kind: 'end' }, { id: 'y', kind: 'dance' }],
    });
    const fails = async (...args: string[]) => {
      const { exitCode, stderr } = await parley(...args);
      return [exitCode, stderr];
    };
    const place = /^faulty\.json:\d+:\d+: \/steps\/2\/kind/m;
    for (const args of [
      ['diff', 'faulty.json'],
      ['publish', 'faulty.json', '--url', baseUrl, '--check'],
    ])
      expect(await fails(...args)).toEqual([1, expect.stringMatching(place)]);
    const unexpected = expect.stringContaining('Version 3 of the bot is live, not 2');
    await save('other.json', { ...feedback, name: 'Other' });
    for (const rest of [['--check'], []])
      expect(await fails('publish', 'other.json', '--url', baseUrl, '--expect', '2', ...rest)).toEqual([
        1,
        unexpected,
      ]);
    expect(await fails('pull', 'missing')).toEqual([
      1,
      expect.stringContaining('no bot with the key missing'),
    ]);
    expect(await fails('pull', 'feedback', '9')).toEqual([1, expect.stringContaining('There is no such')]);
    expect(await fails('rollback', 'feedback', 'x')).toEqual([
      2,
      expect.stringContaining('x is not the number'),
    ]);
    expect(await fails('publish', 'other.json', '--check')).toEqual([
      2,
      expect.stringContaining('need --url'),
    ]);
    expect((await workspace.client.bots.list()).data).toHaveLength(1);
    const { exitCode, stderr } = await runCommand(['bot', 'list'], {
      env: { PARLEY_URL: baseUrl, PARLEY_API_KEY: workspace.apiKey, PARLEY_API_SECRET: 'wrong' },
    });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('does not accept the key')]);
    expect(await runCommand(['bot', 'list'])).toMatchObject({ exitCode: 2 });
  });
});

describe('drafts and templates from the command line', () => {
  test('a file is saved as the draft, byte for byte, read, published and discarded', async () => {
    await succeeds('create', '--template', 'csat', '--key', 'drafted', '--name', 'Drafted');
    expect(await succeeds('templates', '--locale', 'de')).toContain('Umfrage zur Kündigung');
    const pulled = (await succeeds('pull', 'drafted')).replace('"Drafted"', String.raw`"\u0044rafted,  2"`);
    await save('drafted.json', pulled);
    expect(await succeeds('draft', 'put', 'drafted.json')).toContain('from version 1: 0 faults');
    expect(await succeeds('draft', 'get', 'drafted')).toBe(pulled);
    await save('faulty.json', { key: 'drafted' });
    const refused = await parley('draft', 'put', 'faulty.json');
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining(workspace.apiKey)]);
    await succeeds('draft', 'put', 'faulty.json', '--replace');
    const faulty = await parley('draft', 'publish', 'drafted');
    expect([faulty.exitCode, faulty.stderr]).toEqual([1, expect.stringContaining('/steps')]);
    await succeeds('draft', 'put', 'drafted.json', '--replace');
    await succeeds('draft', 'get', 'drafted', '--output', 'read.json');
    expect(await readFile(join(folder, 'read.json'), 'utf8')).toBe(pulled);
    expect(await succeeds('draft', 'publish', 'drafted', '--expect', '1')).toContain('drafted version 2');
    expect((await parley('draft', 'get', 'drafted')).stderr).toContain('has no draft');
    await succeeds('draft', 'put', 'drafted.json');
    await succeeds('draft', 'discard', 'drafted');
    expect((await parley('draft', 'discard', 'drafted')).exitCode).toBe(1);
  });

  test('the export of another product becomes the draft of a new bot, which can be published', async () => {
    const fixtures = resolve(import.meta.dirname, '../../packages/bot-import/fixtures');
    const form = join(fixtures, 'typeform.json');
    const dry = JSON.parse(await succeeds('import', form, '--dry-run', '--json'));
    expect(dry).toMatchObject({ format: 'typeform', saved: false, faults: [] });
    expect((await workspace.client.bots.list({ key: 'conference-feedback' })).data).toEqual([]);
    const shown = await succeeds('import', form, '--key', 'conference');
    expect(shown).toMatch(/dropped +\/fields\/15 .*file_upload/);
    expect(shown).toContain('It is the draft of conference.');
    expect(JSON.parse(await succeeds('draft', 'get', 'conference'))).toEqual({
      ...dry.definition,
      key: 'conference',
    });
    const again = await parley('import', form, '--key', 'conference', '--name', 'Other');
    expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining(workspace.apiKey)]);
    await succeeds('import', form, '--key', 'conference', '--replace');
    expect(await succeeds('draft', 'publish', 'conference')).toContain('conference version 2');
    await save('none.json', { some: 'file' });
    const none = await parley('import', 'none.json', '--dry-run');
    expect([none.exitCode, none.stderr]).toEqual([1, expect.stringContaining('is no export of')]);
  });
});
