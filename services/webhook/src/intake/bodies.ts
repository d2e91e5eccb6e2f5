import type {
  EventBody,
  EventOfInteraction,
  InteractionServiceService,
} from '@parley/contracts/interaction/v1/interaction';
import type { RpcClient } from '@parley/rpc/definition';

/** The service that has the bodies of events. */
export type Bodies = Pick<RpcClient<InteractionServiceService>, 'listEventBodies'>;

/** The body of an event that is about no interaction: no personal data, and nothing besides `extra`. */
export const otherBody: EventBody = {
  interaction: Buffer.from('{}'),
  result: Buffer.of(),
  customerVersion: 2 ** 31 - 1,
  redactedVersion: 0,
  evaluation: {},
};

/** The most events that a call may name: `event-bodies.ts` of the interaction service. */
const eventsPerCallMax = 500;

/** Returns events of interactions with their bodies, in parts as large as a message. */
export async function* withBodies<Event extends EventOfInteraction>(
  interactions: Bodies,
  events: readonly Event[],
  call: { requestId: string; signal?: AbortSignal },
): AsyncGenerator<(Event & EventBody)[]> {
  let rest = events;
  while (rest.length > 0) {
    const asked = rest.slice(0, eventsPerCallMax).map(({ workspaceId, interactionId, status }) => ({
      workspaceId,
      interactionId,
      status,
    }));
    const { bodies } = await interactions.listEventBodies({ events: asked }, call);
    if (bodies.length === 0) throw new Error('the response has no bodies');
    yield bodies.flatMap((body, at) => {
      const event = rest[at];
      return event ? { ...event, ...body } : [];
    });
    rest = rest.slice(bodies.length);
  }
}
