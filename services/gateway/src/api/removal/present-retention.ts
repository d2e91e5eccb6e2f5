import type { WorkspaceRetention } from '@parley/contracts/customer/v1/customer';
import { retentionLimits } from '@parley/contracts/limits';
import { z } from 'zod';

const days = z.int().min(1).max(retentionLimits.daysMax).nullable();

/** Null: for ever. */
export const retentionDays = {
  completedDays: days.meta({ description: '`Completed` ones', examples: [365] }),
  endedDays: days.meta({
    description: '`Expired` ones, and `InProgress` ones that nobody touches',
    examples: [90],
  }),
  draftDays: days.meta({ description: '`Draft` and `Pending` ones', examples: [null] }),
};

export const retention = z.strictObject(retentionDays).meta({
  id: 'Retention',
  description: 'After how many days without a change interactions are deleted. Null: never.',
});

export function toRetention({ retention: days }: WorkspaceRetention): z.output<typeof retention> {
  return {
    completedDays: days?.completedDays ?? null,
    endedDays: days?.endedDays ?? null,
    draftDays: days?.draftDays ?? null,
  };
}
