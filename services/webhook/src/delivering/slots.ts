import type { Claim, Claimed } from './claim-store.ts';

/** How many deliveries a process may have taken and not yet recorded, as long as receivers answer, whoever they are for. */
const slotsMax = 512;
/** How many of them for those that are slow. */
const slowMax = slotsMax / 2;
/** How many are taken at once. */
export const attemptsAtOnce = 192;
/** How many of those that are slow: they often have to be connected to, which takes long. Between come those that answer. */
const slowAtOnce = 32;
/** An attempt that has lasted longer hangs, for all that is known. */
const lastingMsMin = 1_000;
const workspaceSlots = slotsMax / 4;
/** Further ones, for workspaces that have few: nobody else's deliveries can take all there are before it is known that they hang. */
const reservedMax = 128;
const fewSlots = 8;

type Holder = Pick<Claimed, 'id' | 'workspaceId' | 'webhookId' | 'isPrompt'>;
/** What a claim may take: see `Claim`. */
export type Room = Omit<Claim, 'leaseToken' | 'leaseMs' | 'lanes'>;

/** The slots of a process: who has them, and what there is room for. Times are those of one steady clock. */
export interface Slots {
  take(delivery: Holder, nowMs: number): void;
  /** The attempt is over; the slot is kept until its result is recorded. */
  end(id: string): void;
  free(id: string): void;
  /** `most`: no more than so many, whatever is free. */
  room(nowMs: number, most?: number): Room;
}

/**
 * Lanes that are not prompt, and attempts that have lasted longer than a second, have half of the slots together. Of
 * the latter those beyond that half are not counted, up to as many as there are slots: what turns slow all at once is
 * found out, lane by lane, before it can have everything. When all that is taken are those of others, there are some slots
 * left for a workspace that has few.
 */
export function createSlots(): Slots {
  const taken = new Map<string, Holder & { sinceMs: number; hasEnded: boolean }>();
  return {
    take: (delivery, nowMs) => {
      const { id, workspaceId, webhookId, isPrompt } = delivery;
      taken.set(id, { id, workspaceId, webhookId, isPrompt, sinceMs: nowMs, hasEnded: false });
    },
    end: (id) => {
      const slot = taken.get(id);
      if (slot) slot.hasEnded = true;
    },
    free: (id) => {
      taken.delete(id);
    },
    room: (nowMs, most = Number.POSITIVE_INFINITY) => {
      const hanging = new Set<string>();
      const held = new Map<string, number>();
      let lasting = 0;
      let slow = 0;
      for (const { workspaceId, webhookId, isPrompt, sinceMs, hasEnded } of taken.values()) {
        held.set(workspaceId, (held.get(workspaceId) ?? 0) + 1);
        const isLasting = !hasEnded && nowMs - sinceMs > lastingMsMin;
        if (isLasting) hanging.add(webhookId);
        lasting += Number(isLasting);
        slow += Number(isLasting || !isPrompt);
      }
      const uncounted = Math.min(slotsMax, Math.max(0, lasting - slowMax));
      const free = Math.max(0, slotsMax + reservedMax - (taken.size - uncounted));
      const slots = Math.min(most, attemptsAtOnce, free);
      const reserved = Math.max(0, slots - Math.max(0, free - reservedMax));
      const slowSlots = Math.min(slots, slowAtOnce, Math.max(0, slowMax - slow));
      return { slots, reserved, slowSlots, hanging: [...hanging], held, workspaceSlots, fewSlots };
    },
  };
}
