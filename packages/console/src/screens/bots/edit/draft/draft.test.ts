import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type * as Drafts from './draft.ts';

// A page of the console has these. They are read when its modules are loaded.
const stored = new Map<string, string>();
let hasRoom = true;
const localStorage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => {
    if (!hasRoom) throw new Error('full');
    stored.set(key, value);
  },
  removeItem: (key: string) => void stored.delete(key),
};
const page = new EventTarget();

let drafts: typeof Drafts;
let signIn: (id: string, name: string) => void;
beforeAll(async () => {
  vi.stubGlobal('document', { querySelector: () => null });
  vi.stubGlobal('location', { origin: 'https://parley.example' });
  drafts = await import('./draft.ts');
  const { queries } = await import('../../../../data/queries.ts');
  signIn = (id, name) => queries.setQueryData(['session'], { id, name });
  return () => {
    queries.clear();
    vi.unstubAllGlobals();
  };
});
beforeEach(() => {
  vi.stubGlobal('window', { localStorage });
  vi.stubGlobal('localStorage', localStorage);
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  signIn('ada', 'Ada');
});
afterEach(() => {
  stored.clear();
  hasRoom = true;
});

let bots = 0;
/** A bot of its own for each test: the module remembers what this tab has kept. */
const newBot = (): string => `bot-${++bots}`;
const keyOf = (bot: string): string => `parley-console-draft-w-${bot}`;
const draft = { text: '{"typed": 1}', opened: 2, base: 3 };
const ofOtherTab = { ...draft, text: '{"other": 1}', at: '2026-01-31T10:00:00Z' };
const changed = (key: string | null): boolean =>
  page.dispatchEvent(Object.assign(new Event('storage'), { key }));

test('a draft is read as it was kept, with its writer, for its bot only', () => {
  const bot = newBot();
  expect(drafts.keepDraft('w', bot, draft)).toBe(true);
  const found = drafts.readDraft('w', bot);
  expect(found).toMatchObject({ ...draft, by: { id: 'ada', name: 'Ada' } });
  expect(found && drafts.otherWriter(found)).toBeUndefined();
  signIn('bob', 'Bob');
  expect(found && drafts.otherWriter(found)).toBe('Ada');
  expect(drafts.readDraft('w', newBot())).toBeUndefined();
  expect(drafts.readDraft('v', bot)).toBeUndefined();
});

test('without room, the person is told, and what was kept before stays', () => {
  const bot = newBot();
  drafts.keepDraft('w', bot, draft);
  hasRoom = false;
  expect(drafts.keepDraft('w', bot, { ...draft, text: 'longer' })).toBe(false);
  expect(drafts.readDraft('w', bot)?.text).toBe(draft.text);
});

test.each([
  ['no JSON', 'nonsense'],
  ['nothing', 'null'],
  ['no text', JSON.stringify({ ...ofOtherTab, text: 7 })],
  ['no version', JSON.stringify({ ...ofOtherTab, base: '3' })],
  ['no time', JSON.stringify({ ...ofOtherTab, at: 'then' })],
  ['half a writer', JSON.stringify({ ...ofOtherTab, by: { id: 'ada' } })],
])('what is no draft is not read: %s', (_, text) => {
  const bot = newBot();
  stored.set(keyOf(bot), text);
  expect(drafts.readDraft('w', bot)).toBeUndefined();
});

test('a draft without a writer, of an earlier console, is read', () => {
  const bot = newBot();
  stored.set(keyOf(bot), JSON.stringify(ofOtherTab));
  const found = drafts.readDraft('w', bot);
  expect(found).toEqual(ofOtherTab);
  expect(found && drafts.otherWriter(found)).toBeUndefined();
});

test('a tab forgets its own draft, and that of another tab stays but does not open here', () => {
  const bot = newBot();
  drafts.keepDraft('w', bot, draft);
  drafts.forgetDraft('w', bot);
  expect(stored.has(keyOf(bot))).toBe(false);
  drafts.keepDraft('w', bot, draft);
  stored.set(keyOf(bot), JSON.stringify(ofOtherTab));
  drafts.forgetDraft('w', bot);
  expect(stored.has(keyOf(bot))).toBe(true);
  expect(drafts.readDraft('w', bot)).toBeUndefined();
});

test('a tab learns whose draft is kept, of its bot only, until it stops', () => {
  const bot = newBot();
  const seen: string[] = [];
  const stop = drafts.watchDraft('w', bot, (kept) => seen.push(kept));
  drafts.keepDraft('w', bot, draft);
  const own = stored.get(keyOf(bot)) ?? '';
  changed(keyOf(bot));
  stored.set(keyOf(bot), JSON.stringify(ofOtherTab));
  changed(keyOf(bot));
  changed(keyOf('another'));
  stored.clear();
  changed(null);
  stop();
  stored.set(keyOf(bot), own);
  changed(keyOf(bot));
  expect(seen).toEqual(['own', 'other', 'none']);
});
