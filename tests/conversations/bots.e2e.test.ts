import type { InteractionHistory } from '@parley/client';
import { createPublicClient } from '@parley/client/public';
import { createWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/peers/receiver';
import { describe, expect, inject, test } from 'vitest';
import { sampleBot } from './sample-bots.ts';
import { messageTo, type Said } from './conversation.ts';

// From `POST /interactions` to the received webhook, for each sample bot, with the published client.

const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

const conversations: {
  bot: string;
  name: string;
  context: Record<string, string>;
  answers: Said[];
  evaluation: object;
}[] = [
  {
    bot: 'nps-follow-up',
    name: 'a detractor with a contact',
    context: { productName: 'Parley' },
    answers: [{ value: 3 }, { text: 'Too slow' }, { text: 'yes' }, { value: 'Anna@Example.com' }],
    evaluation: { nps_score: '3', nps_segment: 'detractor', reason: 'Too slow', contact_ok: 'yes' },
  },
  {
    bot: 'nps-follow-up',
    name: 'a promoter without a reason',
    context: {},
    answers: [{ text: '10' }, { skip: true }],
    evaluation: { nps_score: '10', nps_segment: 'promoter' },
  },
  {
    bot: 'candidate-screening',
    name: 'a candidate without the right to work',
    context: { jobTitle: 'Baker', location: 'Brno' },
    answers: [{ value: false }],
    evaluation: { right_to_work: 'no', screening_result: 'reject' },
  },
  {
    bot: 'appointment-reminder',
    name: 'an appointment that is moved',
    context: {
      appointmentDate: 'Monday',
      appointmentTime: '10:00',
      placeName: 'the clinic',
      reference: 'R-1',
    },
    answers: [{ value: 'reschedule' }, { value: tomorrow }, { text: 'Morning' }, { value: false }],
    evaluation: {
      appointment_status: 'reschedule',
      preferred_date: tomorrow,
      preferred_slot: 'morning',
      reference: 'R-1',
    },
  },
  {
    bot: 'appointment-reminder',
    name: 'an appointment that is confirmed',
    context: {},
    answers: [{ text: 'confirm' }, { text: 'no' }],
    evaluation: { appointment_status: 'confirmed' },
  },
];

describe.each(conversations)('$bot: $name', ({ bot, context, answers, evaluation }) => {
  test('is completed and delivered to the webhook once, byte for byte', async () => {
    const { baseUrl } = inject('local');
    const workspace = await createWorkspace(baseUrl, inject('operator'));
    const { client } = workspace;
    await using receiver = await startReceiver();
    await client.webhooks.create({
      url: `${receiver.url}?kept=1`,
      secretToken: 's3cret & more',
      isActive: true,
    });
    const botId = await workspace.publish(sampleBot(bot));
    await client.customers.create({ id: 'c 1', firstName: 'Anna', lastName: 'N', email: 'a@example.com' });
    const created = await client.interactions.create({
      customerId: 'c 1',
      botId,
      status: 'Pending',
      context: Object.entries(context).map(([key, value]) => ({ key, value })),
    });
    const { id } = created;
    expect(created.data).toBeNull();

    const { customerToken } = await client.customers.createToken('c 1');
    const browser = createPublicClient({ baseUrl });
    const { sessionToken } = await browser.createSession(workspace.id, { customerToken });
    const session = browser.session({ workspaceId: workspace.id, sessionToken });
    expect(await session.getPending()).toMatchObject({ interactionId: id });
    let snapshot = await session.startConversation(id);
    expect(snapshot.status).toBe('InProgress');
    for (const answer of answers) snapshot = await session.postMessage(id, messageTo(snapshot, answer));
    expect([snapshot.status, snapshot.input, snapshot.progress]).toEqual(['Completed', null, 1]);
    expect(snapshot.entries.map(({ seq }) => seq)).toEqual(snapshot.entries.map((_, index) => index + 1));

    const done = await client.interactions.get(id);
    const data = JSON.parse(done.data ?? '') as InteractionHistory;
    expect(done.status).toBe('Completed');
    expect(data).toMatchObject({ customer_id: 'c 1', interaction_id: id, evaluation });
    expect(data.transcript.map(({ body }) => body)).toEqual(snapshot.entries.map(({ body }) => body));

    await eventually(() => expect(receiver.requests).toHaveLength(1));
    const [request] = receiver.requests;
    const url = new URL(request?.url ?? '', receiver.url);
    expect(Object.fromEntries(url.searchParams)).toEqual({ kept: '1', secretToken: 's3cret & more' });
    expect(request?.body.toString()).toBe(done.data);
    expect(request?.headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/);
    expect(Object.keys(data)).toEqual(['customer_id', 'interaction_id', 'evaluation', 'transcript']);
  });
});
