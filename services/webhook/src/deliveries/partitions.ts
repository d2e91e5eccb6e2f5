import { webhookLimits } from '@parley/contracts/limits';

const { daysKept } = webhookLimits;

export const partitionDaysKept = { finished_delivery: daysKept, attempt: daysKept } as const;

export const partitioned = Object.keys(partitionDaysKept);
