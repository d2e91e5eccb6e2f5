import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/peers/receiver';
import { describe, expect, inject, test } from 'vitest';
import { sampleBot } from './sample-bots.ts';
import { createConversationWorkspace, messageTo, openBrowser, type Snapshot } from './conversation.ts';

// Contract, section 7: the conversation itself.

const { baseUrl } = inject('local');

const { workspace, browser, create, read, begin } = await createConversationWorkspace(
  baseUrl,
  inject('operator'),
);

describe('the snapshot', () => {
  test('has its eight fields, also before the conversation, and reading changes nothing', async () => {
    const { id } = await create({ expiry: 1000 });
    const { body } = await browser.look(id);
    expect(body.data).toEqual({
      status: 'Pending',
      seq: 0,
      entries: [],
      input: null,
      awaiting: null,
      progress: 0,
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+$/) as string,
      botName: 'NPS follow-up',
    });
    expect(await read(id)).toMatchObject({ status: 'Pending', data: null });
  });

  test('of a conversation has entries with four fields, and the question with its fields', async () => {
    const { id, snapshot } = await begin();
    expect(Object.keys(snapshot).toSorted()).toEqual([
      'awaiting',
      'botName',
      'entries',
      'expiresAt',
      'input',
      'progress',
      'seq',
      'status',
    ]);
    expect(snapshot.seq).toBe(snapshot.entries.length);
    for (const entry of snapshot.entries) {
      expect(Object.keys(entry).toSorted()).toEqual(['body', 'seq', 'timestamp', 'type']);
      expect(entry.type).toBe('bot');
    }
    expect(snapshot.entries[0]?.body).toContain('Hi Anna!');
    expect(snapshot.input).toEqual({
      stepId: 'score',
      type: 'nps',
      required: true,
      min: 0,
      max: 10,
      labels: { low: 'Not at all likely', high: 'Extremely likely' },
    });
    expect((await browser.look(id)).body.data).toEqual(snapshot);
  });

  test('contains nothing of the definition, the context and the evaluation', async () => {
    const { id, snapshot } = await begin({ context: [{ key: 'productName', value: 'visible words' }] });
    const next = await browser.say(id, snapshot, { value: 2 });
    const said = JSON.stringify([snapshot, next]);
    for (const secret of ['nps_score', 'detractor', 'goto', 'retry', 'prefill":"{{', 'steps']) {
      expect(said).not.toContain(secret);
    }
  });

  test('after a sequence number has only the newer entries', async () => {
    const { id, snapshot } = await begin();
    const all = (await browser.look(id, '?after=0')).body.data.entries;
    expect(all).toEqual(snapshot.entries);
    expect((await browser.look(id, '?after=1')).body.data.entries).toEqual(snapshot.entries.slice(1));
    const { body } = await browser.look(id, `?after=${snapshot.seq}`);
    expect([body.data.entries, body.data.seq, body.data.input]).toEqual([[], snapshot.seq, snapshot.input]);
    expect((await browser.look(id, '?after=100000')).body.data.entries).toEqual([]);
  });

  test.each([
    'after=-1',
    'after=x',
    'after=1.5',
    'after=',
    'after=1&after=2',
    'wait=-1',
    'wait=26',
    'wait=0.5',
    'wait=x',
    'wait=',
    'wait=1e1',
  ])('?%s is 400', async (query) => {
    const { id } = await create();
    const { status, body } = await browser.look(id, `?${query}`);
    expect([status, body.code, body.data]).toEqual([400, 400, null]);
    expect(body.errors?.map(({ pointer }) => pointer)).toEqual([`/query/${query.split('=')[0]}`]);
  });
});

describe('waiting', () => {
  test('ends at once when there is something newer, or the conversation has ended', async () => {
    const { id, snapshot } = await begin();
    const before = Date.now();
    await browser.look(id, `?after=${snapshot.seq - 1}&wait=25`);
    await workspace.api.patch(`/interactions/${id}`, { status: 'Completed' });
    const { body } = await browser.look(id, `?after=${snapshot.seq}&wait=25`);
    expect(body.data.status).toBe('Completed');
    expect(Date.now() - before).toBeLessThan(15_000);
  });

  test('ends when the conversation continues, for all waiting calls', async () => {
    const { id, snapshot } = await begin();
    const tabs = [browser];
    // Each page has its own session.
    while (tabs.length < 5) tabs.push(await openBrowser(baseUrl, workspace, 'c'));
    const before = Date.now();
    const waiting = tabs.map((tab) => tab.look(id, `?after=${snapshot.seq}&wait=20`));
    const next = await browser.say(id, snapshot, { value: 9 });
    for (const { status, body } of await Promise.all(waiting)) {
      expect(status).toBe(200);
      expect(body.data.seq).toBe(next.seq);
      expect(body.data.entries).toEqual(next.entries.filter(({ seq }) => seq > snapshot.seq));
    }
    expect(Date.now() - before).toBeLessThan(15_000);
  });

  test('ends when the same session polls again, as after a reload', async () => {
    const { id, snapshot } = await begin();
    const wait = () => browser.look(id, `?after=${snapshot.seq}&wait=20`);
    const before = Date.now();
    const older = wait();
    await browser.look(id);
    const newer = wait();
    const { status, body } = await older;
    expect([status, body.data.seq, body.data.entries]).toEqual([200, snapshot.seq, []]);
    expect(Date.now() - before).toBeLessThan(15_000);
    const next = await browser.say(id, snapshot, { value: 9 });
    expect((await newer).body.data.seq).toBe(next.seq);
  });

  test('ends when a waiting one is started, expires, or is closed', async () => {
    const started = await create();
    const expiring = await create({ expiry: 1.5 });
    const closed = await create();
    const before = Date.now();
    const waits = [started, expiring, closed].map(({ id }) => browser.look(id, '?wait=20'));
    await browser.start(started.id);
    await workspace.api.patch(`/interactions/${closed.id}`, { status: 'Completed' });
    const statuses = (await Promise.all(waits)).map(({ body }) => body.data.status);
    expect(statuses).toEqual(['InProgress', 'Expired', 'Completed']);
    expect(Date.now() - before).toBeLessThan(15_000);
  });

  test('ends after its seconds with the unchanged conversation', async () => {
    const { id, snapshot } = await begin();
    const before = Date.now();
    const { status, body } = await browser.look(id, `?after=${snapshot.seq}&wait=1`);
    expect([status, body.data.entries]).toEqual([200, []]);
    expect(Date.now() - before).toBeGreaterThanOrEqual(900);
    expect(Date.now() - before).toBeLessThan(15_000);
  });
});

describe('starting', () => {
  test('repeated and concurrent, is one start', async () => {
    const { id } = await create();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => browser.api.post<Snapshot>(`/conversations/${id}/start`)),
    );
    for (const { status } of answers) expect(status).toBe(200);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.data))).size).toBe(1);
    expect(await browser.start(id)).toEqual(answers[0]?.body.data);
    const data = JSON.parse((await read(id)).data ?? '') as { transcript: unknown[] };
    expect(data.transcript).toHaveLength(answers[0]?.body.data.entries.length ?? 0);
  });

  test('accepts a body or none', async () => {
    const { id } = await create();
    expect((await browser.api.post(`/conversations/${id}/start`, {})).status).toBe(200);
  });

  test.each(['Completed', 'Expired'])('of a %s one is 410', async (status) => {
    const { id } = await create({ status });
    const answer = await browser.api.post(`/conversations/${id}/start`);
    expect([answer.status, answer.body.code, answer.body.data]).toEqual([410, 410, null]);
  });

  test('of an expired one is 410, also without an earlier read', async () => {
    const { id } = await create({ expiry: 0.01 });
    await eventually(async () => {
      expect((await browser.api.post(`/conversations/${id}/start`)).status).toBe(410);
    });
  });
});

describe('the history for the client', () => {
  test('is current during the conversation', async () => {
    const { id, snapshot } = await begin();
    const next = await browser.say(id, snapshot, { value: 3 });
    const data = JSON.parse((await read(id)).data ?? '') as {
      customer_id: string;
      interaction_id: string;
      evaluation: Record<string, string>;
      transcript: { body: string; timestamp: number; type: string }[];
    };
    expect(Object.keys(data)).toEqual(['customer_id', 'interaction_id', 'evaluation', 'transcript']);
    expect(data).toMatchObject({ customer_id: 'c', interaction_id: id, evaluation: { nps_score: '3' } });
    expect(data.transcript).toEqual(
      next.entries.map(
        ({ body, timestamp, type }) => expect.objectContaining({ body, timestamp, type }) as object,
      ),
    );
    for (const entry of data.transcript)
      expect(Object.keys(entry).toSorted()).toEqual(['body', 'timestamp', 'type']);
    const times = data.transcript.map(({ timestamp }) => timestamp);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  test('is complete and delivered when the client closes the conversation early', async () => {
    const own = await createConversationWorkspace(baseUrl, inject('operator'));
    await using receiver = await startReceiver();
    await own.workspace.api.post('/webhooks', { url: receiver.url, secretToken: 's', isActive: true });
    const { id, snapshot } = await own.begin();
    await own.browser.say(id, snapshot, { value: 3 });
    const change = { status: 'Completed' };
    const { body } = await own.workspace.api.patch<{ data: string }>(`/interactions/${id}`, change);
    await eventually(() => expect(receiver.requests).toHaveLength(1));
    expect(receiver.requests[0]?.body.toString()).toBe(body.data.data);
    expect(body.data.data).toContain('nps_score');
  });

  test('when the last answer and the closing race, there is one end and one event', async () => {
    const own = await createConversationWorkspace(baseUrl, inject('operator'));
    await using receiver = await startReceiver();
    await own.workspace.api.post('/webhooks', { url: receiver.url, secretToken: 's', isActive: true });
    const ids: string[] = [];
    for (let round = 0; round < 10; round += 1) {
      const { id, snapshot } = await own.begin();
      ids.push(id);
      const why = await own.browser.say(id, snapshot, { value: 9 });
      const [answered, closed] = await Promise.all([
        own.browser.send(id, messageTo(why, { skip: true })),
        own.workspace.api.patch(`/interactions/${id}`, { status: 'Completed' }),
      ]);
      expect([200, 410]).toContain(answered.status);
      expect(closed.status).toBe(200);
    }
    await eventually(() => expect(receiver.requests.length).toBeGreaterThanOrEqual(10));
    const delivered = receiver.requests.map(
      ({ body }) => (JSON.parse(body.toString()) as { interaction_id: string }).interaction_id,
    );
    expect(delivered.toSorted()).toEqual(ids.toSorted());
  });
});

describe('questions', () => {
  test('of the other sample bots have the fields of their types', async () => {
    const bot = await workspace.publish(sampleBot('candidate-screening'));
    const { id, snapshot } = await begin({ botId: bot });
    expect(snapshot.input).toEqual({
      stepId: 'right',
      type: 'yesNo',
      required: true,
      labels: { yes: 'Yes', no: 'No' },
    });
    const years = await browser.say(id, snapshot, { value: true });
    expect(years.input).toEqual({ stepId: 'years', type: 'number', required: true, min: 0, max: 60 });
    const skills = await browser.say(id, years, { value: 2.5 });
    expect(skills.input).toMatchObject({ type: 'multiChoice', minSelections: 1 });
    for (const choice of skills.input?.choices ?? []) expect(Object.keys(choice)).toEqual(['value', 'label']);
  });
});
