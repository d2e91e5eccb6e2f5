import { AppError } from '@parley/runtime/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sessionOf, type ValidSession, visible } from './visibility.ts';

const at = (ms: number): Date => new Date(1_800_000_000_000 + ms);
const workspaceId = 'ws';
const customers: ValidSession = {
  workspaceId,
  subject: { $case: 'customerId', value: 'ada' },
  issuedAt: at(0),
  fenceVersion: 3,
};
const linked = (interactionId: string, linkVersion: number): ValidSession => ({
  workspaceId,
  subject: { $case: 'interaction', value: { interactionId, linkVersion } },
  issuedAt: at(0),
  fenceVersion: undefined,
});
const row = {
  workspaceId,
  id: 'one',
  customerId: 'ada',
  status: 'Pending' as const,
  linkVersion: 2,
  sessionsFrom: null as Date | null,
  fenceVersion: 0,
  redactedVersion: 0,
};

function refusal(look: () => unknown): unknown {
  try {
    look();
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, type: error.type, message: error.message };
    throw error;
  }
  return 'seen';
}

const nothing = { code: 'not_found', type: 'not-found', message: 'There is no such resource' };

describe('a session of a customer', () => {
  it.each(['Pending', 'InProgress', 'Completed', 'Expired'] as const)(
    'sees the customer’s %s interactions',
    (status) => {
      expect(visible(customers, { ...row, status })).toEqual({ ...row, status });
    },
  );

  it('gets the same error for a draft, another customer’s, another workspace’s and a missing interaction', () => {
    const unseen = [
      { ...row, status: 'Draft' as const },
      { ...row, customerId: 'Ada' },
      { ...row, workspaceId: 'other' },
      undefined,
    ];
    for (const interaction of unseen) expect(refusal(() => visible(customers, interaction))).toEqual(nothing);
  });
});

describe('a session of a link', () => {
  it('sees its interaction while the link is valid', () => {
    expect(visible(linked('one', 2), row)).toBe(row);
  });

  it('sees nothing else, and nothing after the link is revoked', () => {
    for (const session of [linked('two', 2), linked('one', 1), linked('one', 3)]) {
      expect(refusal(() => visible(session, row))).toEqual(nothing);
    }
    expect(refusal(() => visible(linked('one', 2), { ...row, status: 'Draft' }))).toEqual(nothing);
  });
});

describe('an anonymisation', () => {
  it('ends the sessions of the customer that began before it, whatever the clocks say', () => {
    fc.assert(
      fc.property(
        fc.nat(6),
        fc.nat(6),
        fc.integer({ min: -5_000, max: 5_000 }),
        (fenceVersion, redactedVersion, ms) => {
          const anonymised = { ...row, fenceVersion, redactedVersion, sessionsFrom: at(ms) };
          const seen = refusal(() => visible(customers, anonymised)) === 'seen';
          expect(seen).toBe(Math.max(fenceVersion, redactedVersion) <= 3);
        },
      ),
    );
  });

  it('ends earlier sessions of release 0.1.0 by their time of issue, to the millisecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: -5_000, max: 5_000 }), (ms) => {
        const session = { ...customers, fenceVersion: undefined };
        const seen = refusal(() => visible(session, { ...row, sessionsFrom: at(ms) })) === 'seen';
        expect(seen).toBe(ms <= 0);
      }),
    );
  });
});

describe('any session', () => {
  it('must have its customer or interaction, and its time of issue', () => {
    expect(sessionOf({ session: customers })).toEqual(customers);
    for (const session of [null, { ...customers, subject: null }, { ...customers, issuedAt: null }]) {
      expect(refusal(() => sessionOf({ session }))).toEqual(nothing);
    }
  });
});
