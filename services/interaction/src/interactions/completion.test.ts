import { InteractionCompleted } from '@parley/contracts/events/v1/interaction_completed';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Status } from '../schema.ts';
import { closeConversation, eventsOf } from './completion.ts';

const anyStatus = fc.constantFrom<Status>('Draft', 'Pending', 'InProgress', 'Completed', 'Expired');
const row = {
  id: '01a1fc74-a059-70e6-8476-d2149cfc785f',
  workspaceId: '01a1fc74-a059-70e6-8476-d2149cfc7860',
  customerId: 'ada',
  evaluation: null,
  transcript: null,
};
const now = new Date('2026-11-21T09:30:00Z');

describe('eventsOf', () => {
  it('has one event for a change to Completed, and none for others', () => {
    fc.assert(
      fc.property(anyStatus, fc.option(anyStatus, { nil: undefined }), (before, after) => {
        const change = after === undefined ? {} : { status: after };
        const events = eventsOf({ ...row, status: before }, change, now);
        expect(events).toHaveLength(before !== 'Completed' && after === 'Completed' ? 1 : 0);
      }),
    );
  });

  it('has an id of its own, and no text of the conversation', () => {
    const transcript = [{ seq: 1, type: 'bot' as const, body: 'Thank you', timestamp: 1.5 }];
    const change = { status: 'Completed' as const, evaluation: { score: '9' }, transcript };
    const [event] = eventsOf({ ...row, status: 'InProgress' }, change, now);
    expect(event).toMatchObject({ about: row.id, workspaceId: row.workspaceId });
    expect(event?.id).not.toBe(row.id);
    const message = InteractionCompleted.decode(event?.payload ?? Buffer.of());
    expect(message).toEqual({
      interactionId: row.id,
      workspaceId: row.workspaceId,
      customerId: 'ada',
      completedAt: now,
    });
  });
});

describe('closeConversation', () => {
  it('keeps the transcript, and sets an empty history without a conversation', () => {
    expect(closeConversation(row)).toEqual({ status: 'Completed', evaluation: {}, transcript: [] });
    const conversation = {
      evaluation: { a: 'b' },
      transcript: [{ seq: 1, type: 'bot' as const, body: 'Hi', timestamp: 1 }],
    };
    expect(closeConversation(conversation)).toEqual({ status: 'Completed', ...conversation });
  });
});
