import { ParleyError } from '@parley/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ServerDraft } from './begin.ts';
import { Saver } from './saver.ts';
import type { Saving } from './saving.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const failed = (status: number) => new ParleyError({ status, type: 'x', detail: 'x', requestId: undefined });

/** The draft at the service, with calls that may fail first. */
function service() {
  const calls: string[] = [];
  const failures: Error[] = [];
  const readFailures: Error[] = [];
  let draft: ServerDraft | undefined;
  let tags = 0;
  let lost: Error | undefined;
  const saveAs = (by: string, definition: Record<string, unknown>): string => {
    draft = { definition, tag: `t${(tags += 1)}`, base: 1, at: `2026-01-01T00:00:0${tags}Z`, by };
    return draft.tag;
  };
  let held: Promise<void> | undefined;
  const call = (name: string): void => {
    calls.push(name);
    const failure = failures.shift();
    if (failure) throw failure;
  };
  return {
    calls,
    failures,
    readFailures,
    saveAs,
    loseAnswers: (loses: boolean, error: Error = new TypeError('Failed to fetch')): void => {
      lost = loses ? error : undefined;
    },
    /** Holds up each save until the returned function is called. */
    holdSave: (): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = undefined;
        resolve();
      };
    },
    definition: () => draft?.definition,
    of: {
      save: async (definition: Record<string, unknown>, _base: number, tag: string | undefined) => {
        await held;
        call(`save ${JSON.stringify(definition)}`);
        if (draft?.tag !== tag) throw failed(412);
        const saved = saveAs('me', definition);
        if (lost) throw lost;
        return { tag: saved, at: draft?.at ?? '' };
      },
      discard: async (tag: string) => {
        call('discard');
        if (draft?.tag !== tag) throw failed(draft ? 412 : 404);
        draft = undefined;
      },
      read: async () => {
        if (readFailures.length > 0) throw readFailures.shift();
        return draft;
      },
    },
  };
}

function begin(at = service(), tag?: string, sent: string[] = []) {
  const states: Saving[] = [];
  const savedTexts: string[] = [];
  const events: string[] = [];
  let isTyped = false;
  const saver = new Saver({
    calls: at.of,
    tag,
    author: 'me',
    sent,
    begin: { kind: 'none' },
    onState: (state) => states.push(state),
    onSending: () => undefined,
    onSaved: (text) => savedTexts.push(text),
    onFollow: ({ definition }) => (isTyped ? undefined : JSON.stringify(definition)),
    onGone: () => events.push('gone'),
  });
  const type = (text: string): void => saver.change({ text, base: 1, isLive: text === '{}' });
  const typeBefore = (): void => {
    isTyped = true;
  };
  return { at, saver, type, typeBefore, states, savedTexts, events, kind: () => states.at(-1)?.kind };
}

test('the newest text is saved within a second, also while somebody goes on typing', async () => {
  const { at, type, savedTexts, kind } = begin();
  for (const n of [1, 2, 3]) {
    type(`{"n": ${n}}`);
    await vi.advanceTimersByTimeAsync(400);
  }
  expect([at.calls, kind()]).toEqual([['save {"n":3}'], 'saved']);
  expect(savedTexts).toEqual(['{"n": 3}']);
});

test('a text that is no object stays in the browser', async () => {
  const { at, type, kind } = begin();
  for (const text of ['{"n": ', '[]', '{"n": 1, "n": 2}']) {
    type(text);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(kind()).toBe('unreadable');
  }
  expect(at.calls).toEqual([]);
});

test('what fails is tried again: after a while, or after a sign-in', async () => {
  const { at, type, saver, kind } = begin();
  at.failures.push(failed(503), failed(408), failed(401));
  type('{"n": 1}');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(kind()).toBe('failed');
  await vi.advanceTimersByTimeAsync(60_000);
  expect([at.calls.length, kind()]).toEqual([3, 'failed']);
  saver.retry();
  await vi.advanceTimersByTimeAsync(0);
  expect([at.definition(), kind()]).toEqual([{ n: 1 }, 'saved']);
});

test('a conflict waits for a decision: nothing is overwritten before', async () => {
  const { at, type, saver, kind } = begin();
  at.saveAs('ada', { of: 'ada' });
  type('{"n": 1}');
  await vi.advanceTimersByTimeAsync(1_000);
  type('{"n": 2}');
  await vi.advanceTimersByTimeAsync(60_000);
  expect([at.definition(), kind()]).toEqual([{ of: 'ada' }, 'conflict']);
  await expect(saver.flush()).rejects.toThrow('not saved');
  await saver.discard();
  expect(at.definition()).toEqual({ of: 'ada' });
});

test('the own text can replace the other one', async () => {
  const { at, type, saver, kind } = begin();
  at.saveAs('ada', { of: 'ada' });
  type('{"n": 1}');
  await vi.advanceTimersByTimeAsync(1_000);
  saver.overwrite({ text: '{"n": 1}', base: 1, isLive: false });
  await vi.advanceTimersByTimeAsync(0);
  expect([at.definition(), kind()]).toEqual([{ n: 1 }, 'saved']);
});

test('the same text of another tab is no conflict, and a draft that is gone begins again', async () => {
  const { at, type, saver, kind } = begin();
  const tag = at.saveAs('me', { n: 1 });
  type('{"n": 1}');
  await vi.advanceTimersByTimeAsync(1_000);
  expect([kind(), saver.tag]).toEqual(['saved', tag]);
  await at.of.discard(tag);
  type('{"n": 2}');
  await vi.advanceTimersByTimeAsync(2_000);
  expect([at.definition(), kind()]).toEqual([{ n: 2 }, 'saved']);
});

test('the text of the live version needs no draft', async () => {
  const { at, type, kind } = begin();
  type('{"n": 1}');
  await vi.advanceTimersByTimeAsync(1_000);
  type('{}');
  await vi.advanceTimersByTimeAsync(1_000);
  expect([at.definition(), kind()]).toEqual([undefined, 'none']);
});

test('publishing waits for the newest text, and what is typed meanwhile begins the next draft', async () => {
  const { at, type, saver, kind } = begin();
  type('{"n": 1}');
  const tag = await saver.flush();
  expect([at.definition(), tag]).toEqual([{ n: 1 }, 't1']);
  await at.of.discard('t1');
  type('{"n": 2}');
  saver.published('{"n": 1}');
  await vi.advanceTimersByTimeAsync(1_000);
  expect([at.definition(), kind()]).toEqual([{ n: 2 }, 'saved']);
});

test('a draft of somebody else is shown while the editor is open', async () => {
  const { at, type, saver, states } = begin();
  type('{"n": 1}');
  await vi.advanceTimersByTimeAsync(1_000);
  at.saveAs('ada', { of: 'ada' });
  const theirs = await at.of.read();
  if (theirs) saver.meet(theirs);
  expect(states.at(-1)).toMatchObject({ kind: 'conflict', hasOwn: false });
  type('{"n": 2}');
  expect(states.at(-1)).toMatchObject({ kind: 'conflict', hasOwn: true });
});

test('an editor where nothing was typed follows the drafts of others, and goes on from the last one', async () => {
  const { at, saver, type, kind } = begin();
  for (const n of [1, 2]) {
    at.saveAs('ada', { ofAda: n });
    const theirs = await at.of.read();
    if (theirs) saver.meet(theirs);
    // The editor says what it shows.
    type(`{"ofAda":${n}}`);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([kind(), saver.tag, at.calls]).toEqual(['saved', `t${n}`, []]);
  }
  type('{"n": 3}');
  await vi.advanceTimersByTimeAsync(1_000);
  expect([at.definition(), kind()]).toEqual([{ n: 3 }, 'saved']);
  expect(saver.savedAt).toBe((await at.of.read())?.at);
  type('{"ofAda":2}');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(at.definition()).toEqual({ ofAda: 2 });
});

test('a key that was pressed just before the draft of somebody else arrives is a conflict', async () => {
  const { at, saver, typeBefore, type, states } = begin();
  typeBefore();
  at.saveAs('ada', { of: 'ada' });
  const theirs = await at.of.read();
  if (theirs) saver.meet(theirs);
  type('{"n": 1}');
  expect(states.at(-1)).toMatchObject({ kind: 'conflict', hasOwn: true });
});

test('a draft that somebody else has published or discarded is said to be gone, and is saved by the next key', async () => {
  const { at, saver, type, events, kind } = begin();
  type('{"n": 1}');
  await vi.advanceTimersByTimeAsync(1_000);
  saver.lose('another');
  expect(kind()).toBe('saved');
  await at.of.discard('t1');
  saver.lose('t1');
  await vi.advanceTimersByTimeAsync(60_000);
  expect([kind(), at.definition(), events]).toEqual(['gone', undefined, ['gone']]);
  type('{"n": 2}');
  await vi.advanceTimersByTimeAsync(1_000);
  expect([kind(), at.definition()]).toEqual(['saved', { n: 2 }]);
});

test('what is not saved yet when the draft goes begins the next one, and the own publication loses nothing', async () => {
  const { at, saver, type, events, kind } = begin();
  type('{"n": 1}');
  await saver.flush();
  await at.of.discard('t1');
  saver.lose('t1');
  expect([kind(), events]).toEqual(['saved', []]);
  saver.published('{"n": 1}');
  expect(kind()).toBe('none');

  const other = begin();
  other.type('{"n": 1}');
  await vi.advanceTimersByTimeAsync(1_000);
  other.type('{"n": 2}');
  await other.at.of.discard('t1');
  other.saver.lose('t1');
  await vi.advanceTimersByTimeAsync(1_000);
  expect([other.kind(), other.at.definition()]).toEqual(['saved', { n: 2 }]);
});

test('a text that is no JSON counts as not saved when somebody else saves, also the second time', async () => {
  const { at, type, saver, states } = begin();
  type('{"n": 1}');
  await vi.advanceTimersByTimeAsync(1_000);
  type('{"n": ');
  await vi.advanceTimersByTimeAsync(1_000);
  await expect(saver.flush()).rejects.toThrow('not saved');
  for (const n of [1, 2]) {
    at.saveAs('ada', { ofAda: n });
    const theirs = await at.of.read();
    if (theirs) saver.meet(theirs);
    expect(states.at(-1)).toMatchObject({ kind: 'conflict', theirs: { by: 'ada' }, hasOwn: true });
  }
});

test('an own text whose answer was lost is no conflict for what was typed since, one of somebody else is', async () => {
  const { at, type, saver, kind } = begin();
  at.loseAnswers(true);
  type('{"n": 1}');
  await vi.advanceTimersByTimeAsync(1_000);
  expect([at.definition(), kind()]).toEqual([{ n: 1 }, 'failed']);
  at.failures.push(failed(503));
  type('{"n": 2}');
  await vi.advanceTimersByTimeAsync(1_000);
  at.loseAnswers(false);
  type('{"n": 3}');
  await vi.advanceTimersByTimeAsync(7_000);
  expect([at.definition(), kind(), saver.sent]).toEqual([{ n: 3 }, 'saved', []]);

  at.saveAs('ada', { n: 1 });
  type('{"n": 4}');
  await vi.advanceTimersByTimeAsync(5_000);
  expect([at.definition(), kind()]).toEqual([{ n: 1 }, 'conflict']);
});

test('an own text whose answer was lost is no conflict, also if the service has refused what was sent since', async () => {
  for (const status of [400, 401, 403, 408, 409, 413, 429]) {
    const { at, type, saver, kind } = begin();
    at.loseAnswers(true);
    type('{"n": 1}');
    await vi.advanceTimersByTimeAsync(1_000);
    at.failures.push(failed(status));
    saver.retry();
    await vi.advanceTimersByTimeAsync(0);
    at.loseAnswers(false);
    type('{"n": 2}');
    await vi.advanceTimersByTimeAsync(7_000);
    expect([status, at.definition(), kind()]).toEqual([status, { n: 2 }, 'saved']);
  }
});

test('a text that was saved is no conflict, also if the answer to a repeated call refuses it', async () => {
  for (const status of [401, 408, 412, 429]) {
    const { at, type, kind } = begin();
    at.loseAnswers(true, failed(status));
    // Only after 412, the draft is read.
    if (status === 412) at.readFailures.push(failed(503));
    type('{"n": 1}');
    await vi.advanceTimersByTimeAsync(1_000);
    at.loseAnswers(false);
    type('{"n": 2}');
    await vi.advanceTimersByTimeAsync(7_000);
    expect([status, at.definition(), kind()]).toEqual([status, { n: 2 }, 'saved']);
  }
});

test('a text whose answer was lost is discarded when it is undone, also by the next visit', async () => {
  const { at, type, saver, kind } = begin();
  at.loseAnswers(true);
  type('{"n": 1}');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(saver.hasDraft).toBe(true);
  const later = begin(at, undefined, [...saver.sent]);
  later.type('{}');
  await vi.advanceTimersByTimeAsync(1_000);
  expect([at.definition(), later.kind(), later.saver.hasDraft]).toEqual([undefined, 'none', false]);
  expect(kind()).toBe('failed');
});

test('what is typed while a text is sent is saved after it, with the tag of the first', async () => {
  const { at, type, savedTexts, kind } = begin();
  type('{"n": 1}');
  const answer = at.holdSave();
  await vi.advanceTimersByTimeAsync(1_000);
  type('{"n": 2}');
  type('{"n": 3}');
  answer();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([at.definition(), kind(), savedTexts]).toEqual([{ n: 3 }, 'saved', ['{"n": 1}', '{"n": 3}']]);
});

test('a draft that is discarded stays away, also when somebody has typed while it was being saved', async () => {
  const { at, type, saver } = begin();
  type('{"n": 1}');
  const answer = at.holdSave();
  await vi.advanceTimersByTimeAsync(1_000);
  type('{"n": 2}');
  const discarded = saver.discard();
  answer();
  await discarded;
  saver.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([at.calls, at.definition()]).toEqual([['save {"n":1}', 'discard'], undefined]);
});

test('leaving the editor saves what still waits', async () => {
  const { at, type, saver } = begin();
  type('{"n": 1}');
  saver.close();
  await vi.advanceTimersByTimeAsync(0);
  expect(at.definition()).toEqual({ n: 1 });
});

test('while somebody types, the state is told once', () => {
  const { type, states } = begin();
  for (const text of ['{"a": 1}', '{"a": 12}', '{"a": 123}']) type(text);
  expect(states).toEqual([{ kind: 'waiting' }]);
});
