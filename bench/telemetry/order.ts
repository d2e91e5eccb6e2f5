/** What the switch asks of a service, as a byte. */
export const orders = { off: 0, on: 1 } as const;

/** Whether there is to be telemetry. */
export type Order = keyof typeof orders;
