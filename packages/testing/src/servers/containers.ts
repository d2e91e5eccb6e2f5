import { GenericContainer, getContainerRuntimeClient, getReaper, ImageName, Wait } from 'testcontainers';
import { images } from './images.ts';

/** The source of Postgres and NATS in tests. */
export type ServerSource = 'container' | 'embedded';

/**
 * Returns `container` if an engine answers and has or fetches all images, else `embedded`. Calls `announce` with the
 * choice and its reason in one line.
 */
export async function chooseServers(announce: (line: string) => void = () => {}): Promise<ServerSource> {
  const obstacle = await findObstacle(announce);
  announce(
    obstacle
      ? `tests use the embedded Postgres and NATS: ${obstacle}`
      : `tests use containers: ${Object.values(images).join(', ')}`,
  );
  return obstacle ? 'embedded' : 'container';
}

/** Returns why containers cannot be used, or undefined. */
async function findObstacle(announce: (line: string) => void): Promise<string | undefined> {
  const client = await getContainerRuntimeClient().catch(() => undefined);
  if (!client) return 'no container engine answers';
  for (const name of Object.values(images)) {
    const image = ImageName.fromString(name);
    if (!(await client.image.exists(image))) announce(`tests fetch the image ${name}`);
    const failure = await client.image.pull(image).then(() => undefined, firstLine);
    // An interrupted download does not fail.
    const isHere = !failure && (await client.image.exists(image));
    if (!isHere)
      return `the container engine cannot get ${name}: ${failure ?? 'the download was interrupted'}`;
  }
  // Removes the containers of a killed run. It has its own image.
  return getReaper(client).then(
    () => undefined,
    (error: unknown) => `Testcontainers cannot start its cleaner: ${firstLine(error)}`,
  );
}

function firstLine(error: unknown): string {
  const [line = ''] = String(error instanceof Error ? error.message : error).split('\n');
  return line.trim();
}

/** Starts Postgres in a container that ends with the stack. Returns its superuser's URL. */
export async function startPostgresContainer(stack: AsyncDisposableStack): Promise<string> {
  const container = await new GenericContainer(images.postgres)
    .withEnvironment({ POSTGRES_PASSWORD: 'parley' })
    .withExposedPorts(5432)
    .withCommand(['postgres', '-c', 'fsync=off', '-c', 'max_connections=300'])
    // The server starts twice: first for its setup.
    .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
    .start();
  stack.use(container);
  return `postgres://postgres:parley@${container.getHost()}:${container.getMappedPort(5432)}/postgres`;
}

/** Describes a NATS server with JetStream on the given or a free port of this machine. */
export function natsContainer(port?: number, args: string[] = []): GenericContainer {
  return new GenericContainer(images.nats)
    .withCommand(['-js', '-sd', '/data', ...args])
    .withExposedPorts(port === undefined ? 4222 : { container: 4222, host: port })
    .withWaitStrategy(Wait.forLogMessage(/Server is ready/));
}
