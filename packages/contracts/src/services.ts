// The services of Parley. All lists of them come from here, or are compared with it
// (tests/check/deploy/services.test.ts).

/** The services that own a schema, and with it a database role `parley_<name>`, in the order of an update. */
export const databaseServices = ['identity', 'customer', 'interaction', 'webhook', 'insight'] as const;

export type DatabaseService = (typeof databaseServices)[number];

/** All services; each is the folder `services/<name>`. */
export const serviceNames = [...databaseServices, 'gateway'] as const;

export type ServiceName = (typeof serviceNames)[number];

/** Services that a deployment may leave out. Only their own calls need them. */
export const optionalServices = ['insight'] as const satisfies readonly ServiceName[];
