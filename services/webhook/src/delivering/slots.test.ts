import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSlots, type Slots } from './slots.ts';

const take = (
  slots: Slots,
  number: number,
  of: { isPrompt?: boolean; webhookId?: string; atMs?: number } = {},
) => {
  const { isPrompt = true, webhookId = 'w', atMs = 0 } = of;
  const ids = Array.from({ length: number }, () => crypto.randomUUID());
  for (const id of ids) slots.take({ id, workspaceId: `of ${webhookId}`, webhookId, isPrompt }, atMs);
  return ids;
};

test('an idle process takes many at once, and few of lanes that are not prompt', () => {
  expect(createSlots().room(0)).toEqual({
    slots: 192,
    reserved: 0,
    slowSlots: 32,
    hanging: [],
    held: new Map(),
    workspaceSlots: 128,
    fewSlots: 8,
  });
});

test('no more is given than is asked for', () => {
  const slots = createSlots();
  expect(slots.room(0, 1)).toMatchObject({ slots: 1, reserved: 0, slowSlots: 1 });
  take(slots, 512);
  expect(slots.room(0, 1)).toMatchObject({ slots: 1, reserved: 1, slowSlots: 1 });
  take(slots, 128);
  expect(slots.room(0, 1)).toMatchObject({ slots: 0, reserved: 0, slowSlots: 0 });
});

test('lanes that are not prompt can fill their half, and no more', () => {
  const slots = createSlots();
  take(slots, 256, { isPrompt: false });
  expect(slots.room(0)).toMatchObject({ slots: 192, slowSlots: 0 });
});

test('prompt lanes can have all slots but those for workspaces that have few', () => {
  const slots = createSlots();
  take(slots, 400);
  expect(slots.room(0)).toMatchObject({ slots: 192, reserved: 80 });
  take(slots, 112);
  expect(slots.room(0)).toMatchObject({ slots: 128, reserved: 128, held: new Map([['of w', 512]]) });
});

test('when all that was taken turns out to hang, half of the slots are free again a second later', () => {
  const slots = createSlots();
  take(slots, 512, { webhookId: 'black hole' });
  expect(slots.room(1_000)).toMatchObject({ slots: 128, reserved: 128, hanging: [] });
  expect(slots.room(1_001)).toMatchObject({ slots: 192, reserved: 0, slowSlots: 0, hanging: ['black hole'] });
});

test('those that turn slow one after the other find an end as well', () => {
  const slots = createSlots();
  take(slots, 512, { webhookId: 'first' });
  take(slots, 256, { webhookId: 'second', atMs: 1_001 });
  expect(slots.room(5_000)).toMatchObject({ slots: 192, reserved: 0, hanging: ['first', 'second'] });
  take(slots, 256, { webhookId: 'third', atMs: 5_000 });
  expect(slots.room(8_000)).toMatchObject({ slots: 128, reserved: 128 });
});

test('the slot of an attempt that is over is kept until it is recorded, and hangs no more', () => {
  const slots = createSlots();
  const [id = ''] = take(slots, 1);
  slots.end(id);
  expect(slots.room(60_000)).toMatchObject({ slots: 192, slowSlots: 32, hanging: [] });
  slots.free(id);
  expect(slots.room(60_000)).toMatchObject({ slots: 192, held: new Map() });
});

test('who takes only what there is room for never has more than 1,152 under way', () => {
  const step = fc.record({
    isPrompt: fc.boolean(),
    wanted: fc.nat(512),
    afterMs: fc.nat(3_000),
    ends: fc.nat(400),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const slots = createSlots();
      const underWay: string[] = [];
      let nowMs = 0;
      for (const { isPrompt, wanted, afterMs, ends } of steps) {
        nowMs += afterMs;
        const room = slots.room(nowMs);
        const number = Math.min(wanted, isPrompt ? room.slots : room.slowSlots);
        expect(room.slowSlots).toBeLessThanOrEqual(Math.min(32, room.slots));
        underWay.push(...take(slots, number, { isPrompt, atMs: nowMs, webhookId: String(nowMs) }));
        expect(underWay.length).toBeLessThanOrEqual(1_152);
        for (const id of underWay.splice(0, ends)) slots.free(id);
      }
    }),
  );
});
