import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { creationFaults, expiryFaults, expiryInstant } from './request-faults.ts';

const bot = { context: ['product', 'plan'], isUnpublished: false };
const botId = 'an id';
const now = new Date('2026-11-21T09:30:00Z');

describe('creationFaults', () => {
  it('accepts declared keys', () => {
    const context = [
      { key: 'plan', value: 'a' },
      { key: 'product', value: '' },
    ];
    expect(creationFaults({ botId, context, expirySeconds: 5 }, bot)).toEqual([]);
  });

  it('reports every fault at once, each with its place', () => {
    const context = [
      { key: 'plan', value: 'x'.repeat(2_049) },
      { key: 'colour', value: '' },
      { key: 'plan', value: '' },
    ];
    const faults = creationFaults({ botId, context, expirySeconds: -1 }, bot);
    expect(faults.map((fault) => fault.pointer)).toEqual([
      '/expiry',
      '/context/0/value',
      '/context/1/key',
      '/context/2/key',
    ]);
    expect(faults[2]?.detail).toBe('Must be one of: product, plan');
  });

  it('reports a missing bot and not its context', () => {
    const faults = creationFaults({ botId, context: [{ key: 'x', value: '' }] }, undefined);
    expect(faults).toEqual([{ pointer: '/botId', detail: 'There is no such bot' }]);
    const byKey = creationFaults({ botId: '', botKey: 'k', context: [] }, undefined);
    expect(byKey).toEqual([{ pointer: '/botKey', detail: 'There is no such bot' }]);
  });

  it('accepts the id of a bot or its key, not both', () => {
    expect(creationFaults({ botId: '', botKey: 'k', context: [] }, bot)).toEqual([]);
    const both = creationFaults({ botId, botKey: 'k', context: [] }, bot);
    expect(both.map((fault) => fault.pointer)).toEqual(['/botKey']);
  });

  it('refuses a conversation with a bot that is not live yet, and takes its history', () => {
    const unpublished = { ...bot, isUnpublished: true };
    const faultsOf = (status: 'Draft' | 'Pending' | 'Completed') =>
      creationFaults({ botId, status, context: [] }, unpublished).map(({ pointer }) => pointer);
    expect([faultsOf('Draft'), faultsOf('Pending'), faultsOf('Completed')]).toEqual([
      ['/botId'],
      ['/botId'],
      [],
    ]);
  });

  it('counts bytes, not characters, and limits all values together', () => {
    const many = { isUnpublished: false, context: Array.from({ length: 9 }, (_, index) => `k${index}`) };
    const fits = many.context.slice(0, 8).map((key) => ({ key, value: 'é'.repeat(1_024) }));
    expect(creationFaults({ botId, context: fits }, many)).toEqual([]);
    const over = [...fits, { key: 'k8', value: 'x' }];
    expect(creationFaults({ botId, context: over }, many).map((fault) => fault.pointer)).toEqual([
      '/context',
    ]);
  });
});

describe('expiry', () => {
  it.each([-1, -0.001, Number.NaN, Number.POSITIVE_INFINITY, 1_800_000_000])(
    'refuses %s seconds',
    (seconds) => {
      expect(expiryFaults(seconds)).toHaveLength(1);
    },
  );

  it('is the request plus the seconds, to the millisecond, and never for 0', () => {
    expect(expiryInstant(0, now)).toBeNull();
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300_000_000_000 }), (ms) => {
        expect(expiryFaults(ms / 1_000)).toEqual([]);
        const at = expiryInstant(ms / 1_000, now);
        expect(Math.abs((at?.getTime() ?? 0) - now.getTime() - ms)).toBeLessThanOrEqual(1);
        expect(at?.getTime()).toBeGreaterThan(now.getTime());
      }),
    );
  });
});
