import { api } from '@parley/testing/api';
import { expect, inject, test } from 'vitest';
import { openSession } from '../conversations/public-sessions.ts';
import { browserWith } from '../conversations/conversation.ts';

// The shop of the local run, with the calls of its page.

const { baseUrl, workspaceId, bots } = inject('local');
const own = { origin: baseUrl };

interface Pending {
  interactionId: string;
  priority: string;
  botName: string;
}

/** Robin's browser. */
async function browse() {
  const token = await fetch(`${baseUrl}/demo/token`, { headers: own });
  const { customerToken } = (await token.json()) as { customerToken: string };
  const { sessionToken } = (await openSession(baseUrl, workspaceId, customerToken, own)).body.data;
  return browserWith(baseUrl, workspaceId, sessionToken);
}

test('an interaction waits from the start, and each button replaces it by another one', async () => {
  const browser = await browse();
  const pending = async () => (await browser.api.get<Pending | null>('/pending')).body.data;
  expect(Object.keys(bots)).toHaveLength(4);
  expect(await pending()).toMatchObject({ botName: 'NPS follow-up', priority: 'Medium', more: 0 });

  for (const [offer, expected] of [
    ['tasting', { botName: 'Appointment reminder', priority: 'High', more: 0 }],
    ['job', { botName: 'Candidate screening', priority: 'Low', more: 0 }],
    ['order', { botName: 'NPS follow-up', priority: 'Medium', more: 0 }],
  ] as const) {
    const pressed = await api(baseUrl, undefined).post<{ interactionId: string; link: string }>(
      '/demo/conversations',
      { offer },
      own,
    );
    expect(pressed.status).toBe(200);
    const { interactionId, link } = pressed.body.data;
    expect(await pending()).toMatchObject({ interactionId, ...expected });
    expect((await fetch(link)).status).toBe(200);
  }
});

test('the shop sees the customer’s answers', async () => {
  const browser = await browse();
  const shop = api(baseUrl, undefined);
  const { interactionId } = (
    await shop.post<{ interactionId: string }>('/demo/conversations', { offer: 'order' }, own)
  ).body.data;
  const begun = await browser.start(interactionId);
  expect(begun.entries[0]?.body).toContain('Robin');
  const asked = await browser.say(interactionId, begun, { value: 9 });
  await browser.say(interactionId, asked, { skip: true });
  const { data } = (await shop.get('/demo/conversations', own)).body;
  expect(data).toMatchObject({ interactionId, status: 'Completed', evaluation: { nps_score: '9' } });
});
