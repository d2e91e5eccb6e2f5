import { expect, test } from 'vitest';
import type { PopupMode, Waiting } from './model.ts';
import { popupModeOf } from './popup-mode.ts';

const waiting = (priority: Waiting['priority']): Waiting => ({
  interactionId: 'i',
  status: 'Pending',
  type: 'Test',
  priority,
  botName: 'Bo',
  teaser: 'Hello',
  expiresAt: null,
  more: 0,
});

/** What the tab keeps: what is open in it, what was put aside. */
const tab = (open?: string, ...snoozed: string[]) => ({
  opened: () => open,
  isSnoozed: (id: string) => snoozed.includes(id),
});

const fresh = tab();
const others = tab('another', 'a third');
const snoozed = tab(undefined, 'i');
const left = tab('i', 'i');

test.each<[string, Waiting['priority'], typeof fresh, boolean, PopupMode]>([
  ['of high priority opens by itself', 'High', fresh, true, 'open'],
  ['of high priority does not where nothing may', 'High', fresh, false, 'teaser'],
  ['of medium priority has a teaser', 'Medium', fresh, true, 'teaser'],
  ['of low priority has a badge', 'Low', fresh, true, 'badge'],
  ['that was put aside has a badge', 'High', snoozed, true, 'badge'],
  ['that was left open is open again, where nothing may open by itself too', 'Low', left, false, 'open'],
  ['is shown by itself, whatever has become of others', 'High', others, true, 'open'],
])('what waits, %s', (_, priority, storage, mayOpen, mode) => {
  expect(popupModeOf(waiting(priority), storage, mayOpen)).toBe(mode);
});
