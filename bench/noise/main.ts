import { type Outcomes, type RunningLoad, startLoad } from './attack.ts';
import { loadOf } from './loads.ts';
import type { World } from './tenants.ts';

/** The attacker's process starts the load of that name, or ends the running one. Its answer is an `AttackerAnswer`. */
export type AttackerMessage = { start: string; world: World } | { stop: true };

/** `fault`: why a load could not be prepared. */
export interface AttackerAnswer {
  outcomes?: Outcomes;
  fault?: string;
}

// The attacker's process. The victim's calls are made and timed in its parent.
process.on('disconnect', () => process.exit(0));
let running: RunningLoad | undefined;
process.on('message', (message: AttackerMessage) => {
  answer(message).then(
    (sent) => process.send?.(sent),
    (error: unknown) => process.send?.({ fault: String(error) } satisfies AttackerAnswer),
  );
});

async function answer(message: AttackerMessage): Promise<AttackerAnswer> {
  if ('start' in message) {
    running = startLoad(message.world, loadOf(message.start));
    await running.begun;
    return {};
  }
  return { outcomes: (await running?.stop()) ?? {} };
}
