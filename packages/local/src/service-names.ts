/** The services that own a schema, and with it a database role `parley_<name>`. */
export const databaseServices = ['identity', 'customer', 'interaction', 'webhook'] as const;

export type DatabaseService = (typeof databaseServices)[number];

/** All services; each is the folder `services/<name>`. */
export const serviceNames = [...databaseServices, 'gateway'] as const;

export type ServiceName = (typeof serviceNames)[number];

/** How many copies of each service run; one where nothing is said. */
export type Replicas = Partial<Record<ServiceName, number>>;
