import type { Events } from '../page/events.ts';
import type { TalkState } from '../model.ts';
import type { WidgetEvents } from './init-options.ts';

/** Emits the events between two states of a conversation; none for the first one. */
export function emitEvents(
  events: Pick<Events<WidgetEvents>, 'emit'>,
  interactionId: string,
  { snapshot, stage }: TalkState,
  former: TalkState,
): void {
  if (!snapshot || !former.snapshot) return;
  const { seq, status } = former.snapshot;
  // A conversation without a question is never in progress: it has started when it has an entry.
  if (status === 'Pending' && (snapshot.status === 'InProgress' || snapshot.seq > 0)) {
    events.emit('started', { interactionId });
  }
  for (const entry of snapshot.entries) {
    if (entry.seq > seq) events.emit('message', { interactionId, entry });
  }
  if (stage !== former.stage && (stage === 'completed' || stage === 'expired')) {
    events.emit(stage, { interactionId });
  }
}
