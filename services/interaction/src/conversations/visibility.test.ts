import { AppError } from '@parley/runtime/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sessionOf, type ValidSession, visible } from './visibility.ts';

const workspaceId = 'ws';
const customers: ValidSession = {
  workspaceId,
  subject: { $case: 'customerId', value: 'ada' },
  fenceVersion: 3,
};
const linked = (interactionId: string, linkVersion: number): ValidSession => ({
  workspaceId,
  subject: { $case: 'interaction', value: { interactionId, linkVersion } },
  fenceVersion: 0,
});
const row = {
  workspaceId,
  id: 'one',
  customerId: 'ada',
  status: 'Pending' as const,
  linkVersion: 2,
  fenceVersion: 0,
  redactedVersion: 0,
  availableFrom: null,
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

  it('gets the same error for a draft, one that is not available yet, another customer’s, another workspace’s and a missing interaction', () => {
    const unseen = [
      { ...row, status: 'Draft' as const },
      { ...row, customerId: 'Ada' },
      { ...row, availableFrom: new Date(Date.now() + 60_000) },
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
  it('ends the sessions of the customer that began before it', () => {
    fc.assert(
      fc.property(fc.nat(6), fc.nat(6), (fenceVersion, redactedVersion) => {
        const anonymised = { ...row, fenceVersion, redactedVersion };
        const seen = refusal(() => visible(customers, anonymised)) === 'seen';
        expect(seen).toBe(Math.max(fenceVersion, redactedVersion) <= 3);
      }),
    );
  });
});

describe('any session', () => {
  it('must have its customer or interaction', () => {
    expect(sessionOf({ session: customers })).toEqual(customers);
    for (const session of [null, { ...customers, subject: null }]) {
      expect(refusal(() => sessionOf({ session }))).toEqual(nothing);
    }
  });
});
