/** The images that tests run where a container engine answers: the versions that are deployed. */
export const images = { postgres: 'postgres:18', nats: 'nats:2.12' } as const;
