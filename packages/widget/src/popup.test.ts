import type { Snapshot } from '@parley/client/public';
import { expect, test } from 'vitest';
import type { PopupMode, Stage, TalkState, Waiting } from './model.ts';
import { emitEvents, popupModeOf } from './popup.ts';

const stages: Record<string, Stage> = { Pending: 'ready', InProgress: 'talking', Expired: 'expired' };

/** A conversation with `seq` entries; undefined: before it is known. */
function stateOf(status: Snapshot['status'] | undefined, seq = 0): TalkState {
  const snapshot: Snapshot | undefined = status && {
    status,
    seq,
    entries: Array.from({ length: seq }, (_, at) => ({ seq: at + 1, type: 'bot', body: '', timestamp: at })),
    input: null,
    awaiting: null,
    progress: 0,
    expiresAt: null,
    botName: 'Bo',
  };
  const stage = status === undefined ? 'loading' : (stages[status] ?? 'completed');
  return { stage, botName: 'Bo', snapshot, outgoing: undefined, isOffline: false };
}

/** The events between two states of a conversation: their names, and the number of a message. */
function eventsOf(former: TalkState, state: TalkState): string[] {
  const emitted: string[] = [];
  emitEvents(
    {
      emit: (name, payload) => {
        expect(payload).toMatchObject({ interactionId: 'i' });
        emitted.push('entry' in payload ? `${name} ${payload.entry.seq}` : name);
      },
    },
    'i',
    state,
    former,
  );
  return emitted;
}

test.each([
  ['that starts', stateOf('Pending'), stateOf('InProgress', 1), ['started', 'message 1']],
  ['whose bot thinks first', stateOf('Pending'), stateOf('InProgress'), ['started']],
  ['that asks nothing', stateOf('Pending'), stateOf('Completed', 1), ['started', 'message 1', 'completed']],
  ['that continues', stateOf('InProgress', 1), stateOf('InProgress', 3), ['message 2', 'message 3']],
  ['that ends', stateOf('InProgress', 1), stateOf('Completed', 2), ['message 2', 'completed']],
  ['that is closed unread', stateOf('Pending'), stateOf('Completed'), ['completed']],
  ['that expires unread', stateOf('Pending'), stateOf('Expired'), ['expired']],
  ['that is seen for the first time', stateOf(undefined), stateOf('Completed', 2), []],
])('a conversation %s emits what is new, once and in order', (_, former, state, emitted) => {
  expect(eventsOf(former, state)).toEqual(emitted);
  expect(eventsOf(state, state)).toEqual([]);
});

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
