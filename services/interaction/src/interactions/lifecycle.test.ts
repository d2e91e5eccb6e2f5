import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Status } from '../schema.ts';
import { atTime, isDue, isOpen, nextStatus } from './lifecycle.ts';

const statuses: Status[] = ['Draft', 'Pending', 'InProgress', 'Completed', 'Expired'];
const now = new Date('2026-11-21T09:30:00Z');
const later = new Date(now.getTime() + 60_000);

// Whether the client may change the row's status to the column's. y: yes; f: only with a future expiry; =: the same
// status; -: no.
const table = `
              Draft  Pending  InProgress  Completed  Expired
  Draft       =      y        y           -          y
  Pending     y      =        y           y          y
  InProgress  -      -        =           y          y
  Completed   -      -        -           =          -
  Expired     -      f        -           -          =`;

const cells = table
  .trim()
  .split('\n')
  .slice(1)
  .flatMap((line) => {
    const [from, ...marks] = line.trim().split(/\s+/) as [Status, ...string[]];
    return marks.map((mark, index) => ({ from, to: statuses[index] as Status, mark }));
  });

const ending = (status: Status): string => `An interaction that becomes ${status} takes no expiry`;

describe('the table of the transitions by request', () => {
  it('has all 25 pairs', () => {
    expect(cells).toHaveLength(25);
  });

  it.each(cells)('$from to $to: $mark', ({ from, to, mark }) => {
    const plain = nextStatus(from, { status: to }, now);
    const withFuture = nextStatus(from, { status: to, expiresAt: later }, now);
    if (mark === '=') {
      expect(plain).toEqual({ status: from });
    } else if (mark === 'y') {
      expect(plain).toEqual({ status: to });
      expect(withFuture).toEqual(
        isOpen(to) ? { status: to } : { type: 'illegal-expiry', refused: ending(to) },
      );
    } else if (mark === 'f') {
      expect(plain).toMatchObject({ type: 'illegal-transition' });
      expect(withFuture).toEqual({ status: to });
    } else {
      expect(plain).toMatchObject({ type: 'illegal-transition' });
      expect(withFuture).toMatchObject({ type: 'illegal-transition' });
    }
  });
});

const anyStatus = fc.constantFrom(...statuses);
const anyExpiry = fc.constantFrom(undefined, null, now, later, new Date(now.getTime() - 1));

describe('nextStatus', () => {
  it('has both states in the rejection of a transition', () => {
    fc.assert(
      fc.property(anyStatus, anyStatus, anyExpiry, (from, to, expiresAt) => {
        const next = nextStatus(from, { status: to, expiresAt }, now);
        if (!('refused' in next) || next.type !== 'illegal-transition') return;
        expect(next.refused).toContain(from);
        expect(next.refused).toContain(to);
      }),
    );
  });

  it('returns the requested status or a rejection, never another status', () => {
    fc.assert(
      fc.property(anyStatus, fc.option(anyStatus, { nil: undefined }), anyExpiry, (from, to, expiresAt) => {
        const next = nextStatus(from, { status: to, expiresAt }, now);
        expect('refused' in next || next.status === (to ?? from)).toBe(true);
      }),
    );
  });

  it('never leaves Completed, and leaves Expired only as Pending with a future expiry, in any sequence', () => {
    const step = fc.record({ to: anyStatus, expiresAt: anyExpiry });
    fc.assert(
      fc.property(anyStatus, fc.array(step, { maxLength: 30 }), (first, steps) => {
        let status = first;
        for (const { to, expiresAt } of steps) {
          const next = nextStatus(status, { status: to, expiresAt }, now);
          if ('refused' in next) continue;
          if (status === 'Completed') expect(next.status).toBe('Completed');
          if (status === 'Expired' && next.status !== 'Expired') {
            expect(next.status).toBe('Pending');
            expect(expiresAt).toEqual(later);
          }
          status = next.status;
        }
      }),
    );
  });

  it('changes the expiry of open interactions only', () => {
    for (const status of statuses) {
      const next = nextStatus(status, { expiresAt: later }, now);
      expect(next).toMatchObject(isOpen(status) ? { status } : { type: 'illegal-expiry' });
    }
  });

  it('ends an interaction without an expiry, and with null, which clears it', () => {
    for (const expiresAt of [undefined, null]) {
      const next = nextStatus('Pending', { status: 'Completed', expiresAt }, now);
      expect(next).toEqual({ status: 'Completed' });
    }
  });

  it.each([null, now, new Date(now.getTime() - 1)])(
    'does not bring an expired one back with the expiry %s',
    (expiresAt) => {
      expect(nextStatus('Expired', { status: 'Pending', expiresAt }, now)).toMatchObject({
        type: 'illegal-transition',
      });
    },
  );
});

describe('isDue', () => {
  it('is true from the instant of the expiry on, for open interactions only; these are shown as expired', () => {
    fc.assert(
      fc.property(anyStatus, fc.integer({ min: -5_000, max: 5_000 }), (status, offsetMs) => {
        const row = { status, expiresAt: new Date(now.getTime() + offsetMs) };
        expect(isDue(row, now)).toBe(isOpen(status) && offsetMs <= 0);
        expect(isDue({ status, expiresAt: null }, now)).toBe(false);
        expect(atTime(row, now)).toEqual({ ...row, status: isDue(row, now) ? 'Expired' : status });
      }),
    );
  });
});
