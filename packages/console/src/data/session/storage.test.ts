import { afterEach, expect, test, vi } from 'vitest';
import { browserValues, tabValues } from './storage.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  for (const values of [browserValues, tabValues]) values.removeItem('key');
});

test('where the storage is denied, values last until the page is closed', () => {
  vi.stubGlobal('window', {
    get localStorage() {
      throw new Error('denied');
    },
  });
  expect(browserValues.getItem('key')).toBeNull();
  browserValues.setItem('key', 'kept');
  expect(browserValues.getItem('key')).toBe('kept');
  expect(tabValues.getItem('key')).toBeNull();
  browserValues.removeItem('key');
  expect(browserValues.getItem('key')).toBeNull();
});

test('a value that a full storage does not take is kept beside it, until there is room', () => {
  const stored = new Map([['key', 'former']]);
  let isFull = true;
  const setItem = (key: string, value: string): void => {
    if (isFull) throw new Error('full');
    stored.set(key, value);
  };
  const removeItem = (key: string): void => void stored.delete(key);
  const sessionStorage = { getItem: (key: string) => stored.get(key) ?? null, setItem, removeItem };
  vi.stubGlobal('window', { sessionStorage });
  expect(tabValues.getItem('key')).toBe('former');
  tabValues.setItem('key', 'next');
  expect([tabValues.getItem('key'), stored.get('key')]).toEqual(['next', 'former']);
  isFull = false;
  tabValues.setItem('key', 'last');
  expect([tabValues.getItem('key'), stored.get('key')]).toEqual(['last', 'last']);
});
