import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Contact, type Limits, retryAt } from './contact-policy.ts';

const now = new Date('2026-11-29T10:00:00Z');
const dayMs = 86_400_000;
const daysAgo = (days: number, botId = 'a'): Contact => ({
  botId,
  at: new Date(now.getTime() - days * dayMs),
});
const inDays = (days: number) => new Date(now.getTime() + days * dayMs);
const once = { count: 1, days: 30 };
const none: Limits = { anyBot: null, sameBot: null };

describe('a contact policy', () => {
  it('without a limit allows everything', () => {
    expect(retryAt(none, [daysAgo(0), daysAgo(0)], 'a', now)).toBeNull();
  });

  it('allows so many contacts in the last days, and the next one when the oldest of these is past', () => {
    const twice = { ...none, anyBot: { count: 2, days: 7 } };
    expect(retryAt(twice, [daysAgo(1)], 'a', now)).toBeNull();
    expect(retryAt(twice, [daysAgo(1), daysAgo(3), daysAgo(8)], 'a', now)).toEqual(inDays(4));
    expect(retryAt(twice, [daysAgo(1), daysAgo(3), daysAgo(2)], 'a', now)).toEqual(inDays(5));
  });

  it('ends to the millisecond', () => {
    const policy = { ...none, anyBot: once };
    expect(retryAt(policy, [daysAgo(30)], 'a', now)).toBeNull();
    expect(retryAt(policy, [daysAgo(30)], 'a', new Date(now.getTime() - 1))).toEqual(now);
  });

  it('counts the contacts of one bot for one limit, and of all bots for the other', () => {
    const contacts = [daysAgo(1, 'a'), daysAgo(10, 'b')];
    expect(retryAt({ ...none, sameBot: once }, contacts, 'b', now)).toEqual(inDays(20));
    expect(retryAt({ ...none, sameBot: once }, contacts, 'c', now)).toBeNull();
    expect(retryAt({ ...none, sameBot: once }, contacts, undefined, now)).toBeNull();
    expect(retryAt({ ...none, anyBot: once }, contacts, 'c', now)).toEqual(inDays(29));
    expect(retryAt({ anyBot: { count: 1, days: 2 }, sameBot: once }, contacts, 'a', now)).toEqual(inDays(29));
  });

  it('allows a contact at the instant that it names, and none before', () => {
    const limit = fc.option(
      fc.record({ count: fc.integer({ min: 1, max: 3 }), days: fc.integer({ min: 1, max: 9 }) }),
    );
    const contact = fc.record({
      botId: fc.constantFrom('a', 'b'),
      at: fc.integer({ min: -9, max: 3 }).map(inDays),
    });
    fc.assert(
      fc.property(limit, limit, fc.array(contact, { maxLength: 8 }), (anyBot, sameBot, contacts) => {
        const policy = { anyBot, sameBot };
        const at = retryAt(policy, contacts, 'a', now);
        if (!at) return;
        expect(at.getTime()).toBeGreaterThan(now.getTime());
        expect(retryAt(policy, contacts, 'a', at)).toBeNull();
        expect(retryAt(policy, contacts, 'a', new Date(at.getTime() - 1))).toEqual(at);
      }),
    );
  });
});
