/** The images for tests with a container engine: the deployed versions. */
export const images = { postgres: 'postgres:18', nats: 'nats:2.12-alpine' } as const;
