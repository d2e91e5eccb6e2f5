import { expect, test } from 'vitest';
import { answered, begun, firstPace, nextStep, type Pace } from './claim-pace.ts';

const short: Pace = { ...firstPace, isShort: true };
const free = { slots: 192, reserved: 0, slowSlots: 32, hanging: [] };
const now = { sendableInMs: 0, room: free, gatheringLeftMs: 0 };
const few = { ...free, slots: 40 };
const none = { ...free, slots: 0, slowSlots: 0 };
/** What a claim found that took little, and nothing is left of it. */
const little = { taken: 5, takenSlow: 1, isMore: false, lanesSeen: 5 };

test('a claim is made at once when all is free', () => {
  expect(nextStep(firstPace, now)).toEqual({ kind: 'claim' });
  expect(nextStep(short, now)).toEqual({ kind: 'claim' });
});

test('nothing is claimed before something may be sent', () => {
  for (const room of [free, none]) {
    expect(nextStep(short, { sendableInMs: 700, room, gatheringLeftMs: 9 })).toEqual({
      kind: 'wait',
      ms: 700,
    });
  }
});

test('when slots are short, a claim waits for those that are being gathered', () => {
  const gathering = { ...now, gatheringLeftMs: 9 };
  for (const room of [few, none]) {
    expect(nextStep(short, { ...gathering, room })).toEqual({ kind: 'wait', ms: 9 });
  }
  // Others cannot have what is reserved.
  expect(nextStep(short, { ...gathering, room: { ...free, reserved: 1 } })).toEqual({ kind: 'wait', ms: 9 });
});

test('it waits for none when it could not take more, when slots are not what is missing, or none are gathered', () => {
  expect(nextStep(short, { ...now, gatheringLeftMs: 9 })).toEqual({ kind: 'claim' });
  expect(nextStep(firstPace, { ...now, room: few, gatheringLeftMs: 9 })).toEqual({ kind: 'claim' });
  expect(nextStep(short, { ...now, room: few })).toEqual({ kind: 'claim' });
});

test('with no slot free there is nothing to claim, and slots are what is missing from then on', () => {
  expect(nextStep(firstPace, { ...now, room: none })).toEqual({ kind: 'full' });
  expect(begun(firstPace, 1_234)).toEqual({ ...firstPace, begunAtMs: 1_234, isShort: true });
});

test('slots are what is missing after a claim that took all that there were, for anybody or for slow ones', () => {
  const isShort = (of: Partial<typeof little>, room = free) =>
    answered(short, room, { ...little, ...of }).isShort;
  expect(isShort({})).toBe(false);
  expect(isShort({ taken: 191 })).toBe(false);
  expect(isShort({ taken: 192 })).toBe(true);
  expect(isShort({ taken: 32, takenSlow: 32 })).toBe(true);
  expect(isShort({ taken: 40, takenSlow: 0 }, { ...free, reserved: 152 })).toBe(true);
  // While none are for anybody, or for slow ones, it may be that some of those wait.
  expect(isShort({ taken: 0 }, { ...free, reserved: 192 })).toBe(true);
  expect(isShort({ takenSlow: 0 }, { ...free, slowSlots: 0 })).toBe(true);
});

test('a claim keeps when it was begun, and those that hang are no lanes that wait for their turn', () => {
  const pace = { begunAtMs: 77, lanes: 20, isShort: true };
  const hanging = Array.from({ length: 30 }, (_, at) => `w${at}`);
  const found = { taken: 192, takenSlow: 0, isMore: true, lanesSeen: 64 };
  expect(answered(pace, { ...free, hanging }, found)).toEqual({ begunAtMs: 77, lanes: 12, isShort: true });
  expect(answered(pace, free, found)).toMatchObject({ lanes: 64 });
});
