/** The services that own a schema, and with it a database role `parley_<name>`. */
export const databaseServices = ['identity', 'customer', 'interaction', 'webhook'] as const;

export type DatabaseService = (typeof databaseServices)[number];

/** All services; each is the folder `services/<name>`. */
export const serviceNames = [...databaseServices, 'gateway'] as const;

export type ServiceName = (typeof serviceNames)[number];

/** How many copies of each service run; one where nothing is said. */
export type Replicas = Partial<Record<ServiceName, number>>;

/** The names of a service's processes: the service's own, or numbered from 1 where there are several. */
export function processNames(service: ServiceName, replicas: Replicas): string[] {
  const count = replicas[service] ?? 1;
  return count === 1 ? [service] : Array.from({ length: count }, (_, index) => `${service}-${index + 1}`);
}
