/** The switch's command to a service, as a byte. */
export const orders = { off: 0, on: 1 } as const;

/** Whether telemetry is on. */
export type Order = keyof typeof orders;
