import { webhookLimits } from '@parley/contracts/limits';

const { daysKept } = webhookLimits;

/** How long partitions are stored. */
export const partitionDaysKept = { finished_delivery: daysKept, attempt: daysKept } as const;

/** The partitioned tables. */
export const partitioned = Object.keys(partitionDaysKept);
