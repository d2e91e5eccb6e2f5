import { expect, test } from 'vitest';
import type { PopupMode, Waiting } from '../model.ts';
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
  effort: null,
});

/** The data of the tab: the open interaction, and the snoozed ones. */
const tab = (open?: string, ...snoozed: string[]) => ({
  opened: () => open,
  isSnoozed: (id: string) => snoozed.includes(id),
});

const fresh = tab();
const others = tab('another', 'a third');
const snoozed = tab(undefined, 'i');
const left = tab('i', 'i');

test.each<[string, Waiting['priority'], typeof fresh, boolean, PopupMode]>([
  ['of high priority opens automatically', 'High', fresh, true, 'open'],
  ['of high priority does not where that is disabled', 'High', fresh, false, 'teaser'],
  ['of medium priority has a teaser', 'Medium', fresh, true, 'teaser'],
  ['of low priority has a badge', 'Low', fresh, true, 'badge'],
  ['that was snoozed has a badge', 'High', snoozed, true, 'badge'],
  ['that was left open is open again, also where automatic opening is disabled', 'Low', left, false, 'open'],
  ['is shown independently of others', 'High', others, true, 'open'],
])('what waits, %s', (_, priority, storage, mayOpen, mode) => {
  expect(popupModeOf(waiting(priority), storage, mayOpen)).toBe(mode);
});
