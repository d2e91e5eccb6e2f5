import { interactionLimits } from '@parley/contracts/limits';
import type { ContextEntry, CreateInteractionRequest } from '@parley/contracts/interaction/v1/interaction';
import { availableFromMax, takesAvailability } from '../interactions/availability.ts';
import { statusOf } from '../interactions/message.ts';
import type { Status } from '../schema.ts';
import type { Fault } from '@parley/runtime/errors';

const { contextValueBytesMax, contextBytesMax, expirySecondsMax } = interactionLimits;

type Offer = Partial<Pick<CreateInteractionRequest, 'status' | 'availableFrom'>>;

const unpublished =
  'The bot is not live yet: its live version has no question and no text. Publish its draft first';

/** Returns every fault of a new interaction. `bot` is undefined when there is no such bot. */
export function creationFaults(
  request: Pick<CreateInteractionRequest, 'botId' | 'botKey' | 'expirySeconds' | 'context'> & Offer,
  bot: { context: readonly string[]; isUnpublished: boolean } | undefined,
): Fault[] {
  const status = statusOf(request.status) ?? 'Draft';
  const faults = [...expiryFaults(request.expirySeconds), ...availabilityFaults(request, status)];
  const isByKey = typeof request.botKey === 'string';
  if (isByKey && request.botId !== '')
    faults.push({ pointer: '/botKey', detail: 'Must not be given with botId' });
  const pointer = isByKey ? '/botKey' : '/botId';
  if (!bot) return [{ pointer, detail: 'There is no such bot' }, ...faults];
  // An import has no conversation.
  const begins = status !== 'Completed' && status !== 'Expired';
  if (bot.isUnpublished && begins) faults.push({ pointer, detail: unpublished });
  return [...faults, ...contextFaults(request.context, bot.context)];
}

/** An absent expiry has no faults. */
export function expiryFaults(seconds: number | null | undefined): Fault[] {
  if (seconds === null || seconds === undefined) return [];
  if (Number.isFinite(seconds) && seconds >= 0 && seconds <= expirySecondsMax) return [];
  return [{ pointer: '/expiry', detail: 'Must be seconds from now: 0 or more, at most ten years' }];
}

/** Returns the faults of an `availableFrom` for an interaction of this status. An absent one has none. */
export function availabilityFaults({ availableFrom }: Pick<Offer, 'availableFrom'>, status: Status): Fault[] {
  if (!availableFrom) return [];
  const pointer = '/availableFrom';
  if (!takesAvailability(status)) return [{ pointer, detail: `An interaction that is ${status} takes none` }];
  if (availableFrom <= availableFromMax(new Date())) return [];
  return [{ pointer, detail: 'Must be at most a year ahead' }];
}

/** Null: never. */
export function expiryInstant(seconds: number, now: Date): Date | null {
  return seconds === 0 ? null : new Date(now.getTime() + Math.ceil(seconds * 1_000));
}

function contextFaults(context: readonly ContextEntry[], allowed: readonly string[]): Fault[] {
  const faults: Fault[] = [];
  const seen = new Set<string>();
  let bytes = 0;
  for (const [index, { key, value }] of context.entries()) {
    const pointer = `/context/${index}`;
    if (!allowed.includes(key)) {
      const detail =
        allowed.length > 0 ? `Must be one of: ${allowed.join(', ')}` : 'This bot takes no context';
      faults.push({ pointer: `${pointer}/key`, detail });
    } else if (seen.has(key)) {
      faults.push({ pointer: `${pointer}/key`, detail: 'Is given more than once' });
    }
    seen.add(key);
    const valueBytes = Buffer.byteLength(value);
    bytes += valueBytes;
    if (valueBytes > contextValueBytesMax) {
      faults.push({ pointer: `${pointer}/value`, detail: `Must have at most ${contextValueBytesMax} bytes` });
    }
  }
  if (bytes > contextBytesMax) {
    faults.push({
      pointer: '/context',
      detail: `The values must have at most ${contextBytesMax} bytes in all`,
    });
  }
  return faults;
}
