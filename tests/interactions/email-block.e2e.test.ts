import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { runCommand } from '../../packages/cli/tests/run-command.ts';
import { callsIn, createKey } from '../people/limited-keys.ts';
import { sampleBot } from '../conversations/sample-bots.ts';

// Contract 3, section 19: one click from an e-mail.

const { baseUrl } = inject('local');

let workspace: TestWorkspace;
let nps: string;
beforeAll(async () => {
  workspace = await createWorkspace(baseUrl, inject('operator'));
  nps = await workspace.publish(sampleBot('nps-follow-up'));
  await workspace.client.branding.update({ displayName: 'Fog & <Leaf>', accentColor: '#ffd400' });
});

let made = 0;
const offer = async (fields: object = {}) => {
  const body = { customerId: `c${(made += 1)}`, botId: nps, status: 'Pending', ...fields };
  return (await workspace.api.post<{ id: string; link: string }>('/interactions', body)).body.data;
};
const publish = (input: object, text: unknown = 'What now?') =>
  workspace.publish({
    schemaVersion: 1,
    key: `asks-${(made += 1)}`,
    name: 'Asks',
    type: 'Test',
    steps: [
      { id: 'hello', kind: 'say', text: 'Hello {{customer.firstName}}.' },
      { id: 'question', kind: 'ask', text, input },
      { id: 'end', kind: 'end', text: 'Thanks' },
    ],
  });
const emailBlock = (id: string, query: object = {}) => workspace.client.interactions.emailBlock(id, query);
const linksIn = (html: string): string[] =>
  [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
const whole = async (id: string) =>
  (await workspace.api.get(`/interactions/${id}?include=details`)).body.data;
const follow = (url: string, init: RequestInit = {}) => fetch(url, { redirect: 'manual', ...init });

describe('the block', () => {
  test('is a table with a link per answer, in the colours of the branding, for all programs', async () => {
    const { id, link } = await offer();
    const before = await whole(id);
    const html = await emailBlock(id);
    expect(linksIn(html)).toEqual(
      Array.from({ length: 11 }, (_, at) => `${link}/answer?step=score&answer=${at}`),
    );
    expect(html).toContain('Fog &amp; &lt;Leaf&gt;');
    // Black on yellow: white would not be readable.
    expect(html).toContain('bgcolor="#ffd400" style="background-color:#ffd400;');
    expect(html).not.toMatch(
      /<(?:script|style|link|img|svg|button|form|div|iframe)\b|class=|position:|flex|grid/i,
    );
    expect(html.match(/<table /g)?.length).toBe(html.match(/<table role="presentation"/g)?.length);
    expect(Buffer.byteLength(html)).toBeLessThan(102 * 1024);
    expect(await whole(id)).toEqual(before);
  });

  test('is text, too, and is the same for a draft', async () => {
    const { id } = await offer({ status: 'Draft' });
    const text = await emailBlock(id, { format: 'text' });
    expect(text).toMatch(/^Fog & <Leaf>\n\n/);
    expect(text.match(/^\d+.*: http:\S+$/gm)).toHaveLength(11);
    const headers = { authorization: `Basic ${btoa(`${workspace.apiKey}:${workspace.apiSecret}`)}` };
    const path = `${baseUrl}/v1/workspaces/${workspace.id}/interactions/${id}/email-block`;
    const answer = await fetch(`${path}?format=text`, { headers });
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect((await fetch(path, { headers })).headers.get('content-disposition')).toMatch(/^attachment/);
  });

  test('has the answers of ratings, yes or no and choices; texts are never markup', async () => {
    const cases: [object, string[]][] = [
      [{ type: 'rating', max: 3 }, ['1', '2', '3']],
      [{ type: 'yesNo' }, ['Yes', 'No']],
      [
        {
          type: 'choice',
          choices: [
            { value: 'a', label: '<i>A</i>' },
            { value: 'b', label: 'B' },
          ],
        },
        ['&lt;i&gt;A&lt;/i&gt;', 'B'],
      ],
    ];
    for (const [input, labels] of cases) {
      const { id } = await offer({ botId: await publish(input), customer: { firstName: '<b>Ada' } });
      const html = await emailBlock(id);
      expect([...html.matchAll(/<a [^>]*>([^<]*)<\/a>/g)].map(([, label]) => label)).toEqual(labels);
      expect(html).toContain('Hello &lt;b&gt;Ada.');
    }
  });

  test('of a conversation that had begun and is offered again has what the bot says last, and continues it', async () => {
    const step = (id: string) => ({ id, kind: 'ask', text: `Ask ${id}`, input: { type: 'yesNo' } });
    const steps = [step('one'), step('two'), { id: 'end', kind: 'end', text: 'Thanks' }];
    const botId = await workspace.publish({ schemaVersion: 1, key: 'again', name: 'A', type: 'T', steps });
    const { id } = await offer({ botId });
    await follow(linksIn(await emailBlock(id))[0] ?? '', { method: 'POST' });
    await workspace.client.interactions.update(id, { status: 'Expired' });
    await workspace.client.interactions.update(id, { status: 'Pending', expiry: 86_400 });
    const html = await emailBlock(id);
    expect([...html.matchAll(/<p [^>]*>([^<]*)</g)].map(([, text]) => text)).toEqual([
      'Fog &amp; &lt;Leaf&gt;',
      'Ask two',
    ]);
    expect((await follow(linksIn(html)[1] ?? '', { method: 'POST' })).status).toBe(303);
    expect(await whole(id)).toMatchObject({ status: 'Completed' });
  });

  test('of a language from right to left is written so, whatever language was asked for', async () => {
    const texts = { low: 'أبدا', high: 'بالتأكيد' };
    const botId = await publish({ type: 'nps', labels: texts }, 'ما رأيك؟');
    const { id } = await offer({ botId });
    const html = await emailBlock(id);
    const answer = await follow(linksIn(html)[3] ?? '');
    expect(await answer.text()).toContain('<p>0: أبدا – 10: بالتأكيد</p>');
    expect(html).toMatch(/^<table role="presentation" dir="rtl"/);
    expect(html).toMatch(/align="right"[^>]*>أبدا<.*align="left"[^>]*>بالتأكيد</);
    const english = await offer();
    expect(await emailBlock(english.id, { locale: 'ar' })).not.toContain('dir=');
  });

  test('is not there for other questions, for more than eleven answers and after the start', async () => {
    const many = Array.from({ length: 12 }, (_, at) => ({ value: `v${at}`, label: `L${at}` }));
    for (const input of [{ type: 'text' }, { type: 'choice', choices: many }]) {
      const { id } = await offer({ botId: await publish(input) });
      const { body } = await workspace.api.get(`/interactions/${id}/email-block`);
      expect(body).toMatchObject({ code: 409, type: 'no-email-question' });
    }
    const { id } = await offer({ status: 'InProgress' });
    const begun = await workspace.api.get(`/interactions/${id}/email-block`);
    expect(begun.body).toMatchObject({ code: 409, type: 'no-email-question' });
  });

  test('needs the scopes of links and of personal data', async () => {
    const { id } = await offer();
    for (const scope of ['interactions:write', 'personal-data:read'] as const) {
      const key = await createKey(workspace, ['interactions:read', scope]);
      const { body } = await callsIn(baseUrl, workspace.id, key).get(`/interactions/${id}/email-block`);
      expect(body).toMatchObject({ code: 403, type: 'missing-scope' });
    }
  });

  test('is written by the command', async () => {
    const { id } = await offer();
    const { apiKey: PARLEY_API_KEY, apiSecret: PARLEY_API_SECRET } = workspace;
    const env = { PARLEY_URL: baseUrl, PARLEY_API_KEY, PARLEY_API_SECRET };
    const { stdout } = await runCommand(['interaction', 'email-block', id], { env });
    expect(stdout).toBe(await emailBlock(id));
  });
});

test('the recipe of docs/reach.md sends a block to each customer', async () => {
  const page = await readFile(resolve(import.meta.dirname, '../../docs/reach.md'), 'utf8');
  const [, program = ''] = /^```ts nps\n([^]*?)^```/m.exec(page) ?? [];
  const mails: { to: string; html: string; text: string }[] = [];
  const sendMail = async (mail: (typeof mails)[number]): Promise<void> => void mails.push(mail);
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  await new AsyncFunction('workspace', 'sendMail', program)(workspace.client, sendMail);
  expect(mails.map(({ to }) => to)).toEqual(['ada', 'grace']);
  for (const { html, text } of mails)
    expect([linksIn(html).length, text.match(/\/answer\?/g)?.length]).toEqual([11, 11]);
});

describe('the link of an answer', () => {
  test('opened by programs, all of them twenty times by GET and HEAD, writes nothing', async () => {
    const { id } = await offer();
    const links = linksIn(await emailBlock(id));
    expect(links).toHaveLength(11);
    const before = await whole(id);
    for (let round = 0; round < 20; round += 1) {
      const method = round % 2 ? 'HEAD' : 'GET';
      const statuses = await Promise.all(links.map(async (link) => (await follow(link, { method })).status));
      expect(new Set(statuses)).toEqual(new Set([200]));
    }
    expect(await whole(id)).toEqual(before);
  });

  test('shows the answer, marked, the others beside it, and one button without a script', async () => {
    const { id } = await offer();
    const link = linksIn(await emailBlock(id))[9] ?? '';
    const page = await follow(link);
    const html = await page.text();
    expect(html).not.toContain('<mark>');
    expect(html).toContain('<strong aria-current="true">✓ 9</strong>');
    expect(html.match(/<a /g)).toHaveLength(10);
    expect(html.match(/<button /g)).toHaveLength(1);
    expect(html).not.toContain('<script');
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self'/);
    expect([page.headers.get('cache-control'), page.headers.get('referrer-policy')]).toEqual([
      'no-store',
      'no-referrer',
    ]);
    expect((await follow(link, { headers: { 'accept-language': 'de' } })).status).toBe(200);
  });

  test('and its conversation are in its language, without one in that of the browser', async () => {
    const german = { headers: { 'accept-language': 'de-AT,en;q=0.5' } };
    const botId = await publish({ type: 'rating' }, { en: 'All well?', de: 'Alles gut?' });
    for (const [query, text] of [
      [{}, 'Alles gut?'],
      [{ locale: 'en' }, 'All well?'],
    ] as const) {
      const { id } = await offer({ botId });
      const link = linksIn(await emailBlock(id, query))[0] ?? '';
      expect(await (await follow(link, german)).text()).toContain(`<p>${text}</p>`);
      expect((await follow(link, { method: 'POST', ...german })).status).toBe(303);
      const { data } = (await whole(id)) as { data: string };
      expect(data).toContain(text);
    }
  });

  test('posted by its button starts the conversation and sends the answer, once', async () => {
    const { id, link: of } = await offer();
    const link = linksIn(await emailBlock(id))[9] ?? '';
    const answers = await Promise.all([follow(link, { method: 'POST' }), follow(link, { method: 'POST' })]);
    for (const { status, headers } of answers) {
      expect([status, headers.get('location')]).toEqual([303, `${new URL(of).pathname}#resume`]);
    }
    const repeated = await follow(link, { method: 'POST' });
    expect(repeated.headers.get('location')).toBe(`${new URL(of).pathname}#resume`);
    const { data, status } = (await whole(id)) as { data: string; status: string };
    expect(status).toBe('InProgress');
    const { transcript } = JSON.parse(data) as { transcript: { type: string; body: string }[] };
    expect(transcript.filter(({ type }) => type === 'customer')).toMatchObject([{ body: '9' }]);
    // The question is answered: the link leads to the conversation.
    const again = await follow(link);
    expect([again.status, again.headers.get('location')]).toEqual([303, new URL(of).pathname]);
  });

  test('takes values of all types', async () => {
    const choices = [
      { value: 'a', label: 'A' },
      { value: 'b', label: 'B' },
    ];
    for (const [input, at, said] of [
      [{ type: 'yesNo' }, 1, 'No'],
      [{ type: 'choice', choices }, 1, 'B'],
      [{ type: 'rating' }, 4, '5'],
    ] as const) {
      const { id } = await offer({ botId: await publish(input) });
      const link = linksIn(await emailBlock(id))[at] ?? '';
      expect((await follow(link, { method: 'POST' })).status).toBe(303);
      const { data } = (await whole(id)) as { data: string };
      expect(data).toContain(`"body":"${said}"`);
    }
  });

  test('of a page of another site, without an answer, of no conversation or of an ended one does nothing', async () => {
    const { id, link: of } = await offer();
    const link = linksIn(await emailBlock(id))[9] ?? '';
    const foreign = await follow(link, { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } });
    expect(foreign.status).toBe(403);
    for (const method of ['GET', 'POST']) {
      for (const query of ['?step=score&answer=99', '?step=score', '?answer=9', '?step=bye&answer=9', '']) {
        const answer = await follow(link.replace(/\?.*/, query), { method });
        expect([answer.status, answer.headers.get('location')]).toEqual([303, new URL(of).pathname]);
      }
    }
    expect(((await whole(id)) as { status: string }).status).toBe('Pending');
    await workspace.api.patch(`/interactions/${id}`, { status: 'Expired' });
    for (const method of ['GET', 'POST']) expect((await follow(link, { method })).status).toBe(303);
    const unknown = link.replace(/.{4}\/answer/, 'zzzz/answer');
    expect((await follow(unknown)).status).toBe(404);
  });
});
