import type { Events } from './events.ts';
import type { TalkState } from './model.ts';
import type { WidgetEvents } from './sdk.ts';

/** What tells of a talk. */
export type Tell = typeof tell;

/** Emits what has happened in a talk between two states of it; what had happened before it was seen is no news. */
export function tell(
  events: Pick<Events<WidgetEvents>, 'emit'>,
  interactionId: string,
  { snapshot, stage }: TalkState,
  former: TalkState,
): void {
  if (!snapshot || !former.snapshot) return;
  const { seq, status } = former.snapshot;
  // One without a question is never in progress: it has started when something has been said.
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
