import { basic, createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { butRequestId } from '../api/identical.ts';
import { callsIn, createKey } from '../people/limited-keys.ts';
import { linkTokenOf, openLink } from '../conversations/public-sessions.ts';
import { npsBot } from '../conversations/sample-bots.ts';
import { browserWith } from '../conversations/conversation.ts';

// Contract, sections 4 and 7: the link of an interaction, its page and its session.

const { baseUrl } = inject('local');

let workspace: TestWorkspace;
let botId: string;

beforeAll(async () => {
  workspace = await createWorkspace(baseUrl, inject('operator'));
  botId = await workspace.publish(npsBot);
});

const create = async (body: object = {}) => {
  const fields = { customerId: 'c', botId, status: 'Pending', ...body };
  return (await workspace.api.post<{ id: string; link: string }>('/interactions', fields)).body.data;
};

describe('a link', () => {
  test('opens a session of 15 minutes for its one interaction', async () => {
    const one = await create({ customerId: 'linked' });
    const another = await create({ customerId: 'linked', priority: 'High' });
    const { status, body } = await openLink(baseUrl, linkTokenOf(one));
    expect(status).toBe(200);
    expect(body.data).toEqual({
      sessionToken: expect.any(String) as string,
      expiresIn: 900,
      workspaceId: workspace.id,
      interactionId: one.id,
      status: 'Pending',
      botName: 'NPS follow-up',
    });
    const browser = browserWith(baseUrl, workspace.id, body.data.sessionToken);
    expect((await browser.api.get(`/conversations/${one.id}`)).status).toBe(200);
    const pending = await browser.api.get('/pending');
    expect(pending.body.data).toMatchObject({ interactionId: one.id, more: 0 });
    for (const path of ['', '?after=0&wait=1']) {
      expect((await browser.api.get(`/conversations/${another.id}${path}`)).status).toBe(404);
    }
    expect((await browser.api.post(`/conversations/${another.id}/start`)).status).toBe(404);
    const snapshot = await browser.start(one.id);
    expect(snapshot.status).toBe('InProgress');
    expect((await openLink(baseUrl, linkTokenOf(one))).body.data.status).toBe('InProgress');
  });

  test('of a draft and an unknown one are the same 404; an ended one still shows its state', async () => {
    const draft = await create({ status: 'Draft' });
    const good = linkTokenOf(await create());
    const forged = [
      linkTokenOf(draft),
      'x',
      good.slice(0, -1),
      `${good}0`,
      good.slice(0, -1) + (good.endsWith('0') ? '1' : '0'),
      good.toLowerCase(),
      '0'.repeat(good.length),
      `${good}/..`,
    ];
    const bodies = new Set<string>();
    for (const token of forged) {
      const { status, body } = await openLink(baseUrl, token);
      expect(status).toBe(404);
      bodies.add(JSON.stringify(butRequestId(body)));
    }
    expect(bodies.size).toBe(1);
    expect((await fetch(draft.link)).status).toBe(404);
    for (const status of ['Completed', 'Expired']) {
      const ended = await create({ status });
      expect((await openLink(baseUrl, linkTokenOf(ended))).body.data).toMatchObject({ status });
      expect((await fetch(ended.link)).status).toBe(200);
    }
  });

  test('is a QR code for callers who may hand it to customers', async () => {
    const { id } = await create();
    const path = `${baseUrl}/v1/workspaces/${workspace.id}/interactions/${id}/qr`;
    const authorization = basic(workspace.apiKey, workspace.apiSecret);
    const read = (query: string, accept = '*/*') =>
      fetch(`${path}${query}`, { headers: { authorization, accept } });
    const svg = await read('');
    expect(svg.headers.get('content-type')).toBe('image/svg+xml');
    expect(svg.headers.get('content-disposition')).toBe('attachment; filename="qr.svg"');
    const text = await svg.text();
    expect(text).toMatch(/^<svg /);
    expect(Buffer.from(await workspace.client.interactions.qr(id)).toString()).toBe(text);
    const png = await read('?format=png', 'image/png');
    expect(png.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await png.arrayBuffer()).toString('latin1', 1, 4)).toBe('PNG');
    expect((await read('?format=gif')).status).toBe(400);
    expect((await read('', 'text/plain')).status).toBe(406);
    const { status } = await workspace.api.get('/interactions/01890000-0000-7000-8000-000000000000/qr');
    expect(status).toBe(404);
    const reading = await createKey(workspace, ['interactions:read', 'personal-data:read']);
    const refused = await callsIn(baseUrl, workspace.id, reading).get(`/interactions/${id}/qr`);
    expect(refused.body).toMatchObject({ code: 403, type: 'missing-scope' });
  });

  test('is read-only: other methods are 405', async () => {
    const { link } = await create();
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const answer = await fetch(link, { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
  });

  test.each<[unknown]>([[undefined], [null], [5], [''], [{}]])('token %j is 400', async (token) => {
    const { status, body } = await openLink(baseUrl, token);
    expect([status, body.errors?.map(({ pointer }) => pointer)]).toEqual([400, ['/token']]);
  });
});
