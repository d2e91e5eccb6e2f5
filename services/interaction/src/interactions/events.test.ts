import { interactionCompleted, interactionExpired, interactionResumed } from '@parley/contracts/events';
import { InteractionCompleted } from '@parley/contracts/events/v1/interaction_completed';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Status } from '../schema.ts';
import { eventsOf } from './events.ts';

const anyStatus = fc.constantFrom<Status>('Draft', 'Pending', 'InProgress', 'Completed', 'Expired');
const now = new Date('2026-11-21T09:30:00Z');
const row = {
  id: '01a1fc74-a059-70e6-8476-d2149cfc785f',
  workspaceId: '01a1fc74-a059-70e6-8476-d2149cfc7860',
  customerId: 'ada',
  botId: '01a1fc74-a059-70e6-8476-d2149cfc7861',
  startedAt: null,
  stallsAt: null,
  isTest: false,
};

test('a conversation that has stalled resumes with an answer, and an expired interaction as Pending', () => {
  const stalled = { ...row, status: 'InProgress' as const, startedAt: now };
  const typesOf = (...[before, change]: Parameters<typeof eventsOf>): string[] =>
    eventsOf(before, change, { now }).map(({ type }) => type);
  expect(typesOf(stalled, { stallsAt: now }, { now })).toEqual([interactionResumed.subject]);
  expect(typesOf({ ...row, status: 'Expired' }, { status: 'Pending' }, { now })).toEqual([
    interactionResumed.subject,
  ]);
  expect(typesOf({ ...stalled, stallsAt: now }, { stallsAt: now }, { now })).toEqual([]);
  expect(typesOf(stalled, { stallsAt: null }, { now })).toEqual([]);
  expect(typesOf({ ...row, status: 'Pending' }, { stallsAt: now }, { now })).toEqual([]);
});

test('only a change to Completed or Expired ends an interaction, with one event', () => {
  fc.assert(
    fc.property(anyStatus, fc.option(anyStatus, { nil: undefined }), (before, after) => {
      const change = after === undefined ? {} : { status: after };
      const types = eventsOf({ ...row, status: before }, change, { now }).map(({ type }) => type);
      const isChanged = after !== before;
      expect(types).toEqual([
        ...(before === 'Expired' && after === 'Pending' ? [interactionResumed.subject] : []),
        ...(isChanged && after === 'Completed' ? [interactionCompleted.subject] : []),
        ...(isChanged && after === 'Expired' ? [interactionExpired.subject] : []),
      ]);
    }),
  );
});

test('an event has an id of its own, and no text of the conversation', () => {
  const transcript = [{ seq: 1, type: 'bot' as const, body: 'Thank you', timestamp: 1.5 }];
  const change = { status: 'Completed' as const, evaluation: { score: '9' }, transcript };
  const [event] = eventsOf({ ...row, status: 'InProgress' }, change, { now });
  expect(event).toMatchObject({ about: row.id, workspaceId: row.workspaceId });
  expect(event?.id).not.toBe(row.id);
  expect(InteractionCompleted.decode(event?.payload ?? Buffer.of())).toEqual({
    interactionId: row.id,
    workspaceId: row.workspaceId,
    customerId: 'ada',
    completedAt: now,
    botId: row.botId,
    isTest: null,
  });
});
