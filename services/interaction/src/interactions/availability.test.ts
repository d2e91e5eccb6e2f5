import { describe, expect, it } from 'vitest';
import {
  type Availability,
  availableFromMax,
  changedAvailability,
  nextDueAt,
  raise,
  remindersOf,
} from './availability.ts';

const hour = 3_600;
const now = new Date('2026-11-29T10:00:00Z');
const after = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const one: Availability = {
  availableAt: now,
  isAnnouncing: true,
  isAnnounced: false,
  reminders: [hour, 3 * hour],
  nextReminder: 1,
};
const pending = { status: 'Pending', expiresAt: null, startedAt: null } as const;

describe('what is due is raised', () => {
  it('in order, each once, and the next one is due then', () => {
    const first = raise(one, pending, now);
    expect(first).toMatchObject({ isAvailable: true, reminders: [], skipped: 0 });
    expect(first.after.dueAt).toEqual(after(hour));
    const second = raise(first.after, pending, after(hour));
    expect(second).toMatchObject({ isAvailable: false, reminders: [1], skipped: 0 });
    const third = raise(second.after, pending, after(3 * hour));
    expect(third).toMatchObject({ reminders: [2], after: { dueAt: null, nextReminder: 3 } });
    expect(raise(third.after, pending, after(9 * hour))).toMatchObject({ isAvailable: false, reminders: [] });
  });

  it('up to an hour late, but a later reminder is skipped; being available is never skipped', () => {
    expect(raise(one, pending, after(2 * hour))).toMatchObject({
      isAvailable: true,
      reminders: [1],
      skipped: 0,
    });
    const late = raise(one, pending, after(2 * hour + 1));
    expect(late).toMatchObject({ isAvailable: true, reminders: [], skipped: 1 });
    expect(late.after.dueAt).toEqual(after(3 * hour));
    expect(raise(one, pending, after(100 * hour))).toMatchObject({ reminders: [], skipped: 2 });
  });

  it('only while it waits for the customer; who has started it since then has seen it', () => {
    for (const status of ['Draft', 'Completed', 'Expired'] as const) {
      const raised = raise(one, { ...pending, status }, after(hour));
      expect(raised).toMatchObject({ isAvailable: false, reminders: [], after: { dueAt: null } });
    }
    expect(raise(one, { ...pending, expiresAt: after(1) }, after(1)).isAvailable).toBe(false);
    const started = { ...pending, status: 'InProgress', startedAt: after(1) } as const;
    expect(raise(one, started, after(hour))).toMatchObject({ isAvailable: true, reminders: [] });
    expect(raise(one, { ...started, startedAt: after(-1) }, after(hour)).isAvailable).toBe(false);
  });
});

describe('an interaction is available', () => {
  const draft = { status: 'Draft', availableFrom: null } as const;
  const offered = { status: 'Pending', availableFrom: null } as const;
  const later = { status: 'Pending', availableFrom: after(hour) } as const;
  const reminders = [hour];

  it('from when it is offered; only one with an availableFrom says so', () => {
    expect(changedAvailability(undefined, offered, now, { reminders: [] })).toBeUndefined();
    expect(changedAvailability(undefined, draft, now, { reminders })).toBeUndefined();
    const silent = changedAvailability(draft, offered, now, { reminders });
    expect(silent).toMatchObject({ availableAt: now, isAnnouncing: false, reminders });
    const past = changedAvailability(undefined, { ...offered, availableFrom: after(-5) }, now, {
      reminders: [],
    });
    expect(past).toMatchObject({ availableAt: now, isAnnouncing: true });
  });

  it('later or sooner when it is moved, and at once when its availableFrom is cleared', () => {
    const known = changedAvailability(undefined, later, now, { reminders });
    expect(known && nextDueAt(known)).toEqual(after(hour));
    const moved = changedAvailability(later, { ...later, availableFrom: after(9 * hour) }, now, {
      ...(known && { known }),
      reminders: [],
    });
    expect(moved).toMatchObject({ availableAt: after(9 * hour), reminders });
    const cleared = changedAvailability(later, offered, now, { ...(known && { known }), reminders: [] });
    expect(cleared).toMatchObject({ availableAt: now, isAnnouncing: true, isAnnounced: false, reminders });
    expect(changedAvailability(later, later, now, { reminders })).toBeUndefined();
  });

  it('once: neither a move nor another offer raises what was raised', () => {
    const known = { ...one, isAnnounced: true, nextReminder: 2 };
    const again = changedAvailability(draft, later, now, { known, reminders: [hour, 2 * hour] });
    expect(again).toMatchObject({ isAnnounced: true, nextReminder: 2, availableAt: after(hour) });
    expect(again && nextDueAt(again)).toEqual(after(3 * hour));
    expect(again && remindersOf(again)).toEqual([{ number: 2, dueAt: after(3 * hour) }]);
  });

  it('at most one calendar year ahead', () => {
    expect(availableFromMax(now)).toEqual(new Date('2027-11-29T10:00:00Z'));
  });
});
