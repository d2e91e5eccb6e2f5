import { GenericContainer, getContainerRuntimeClient, getReaper, ImageName, Wait } from 'testcontainers';
import { images } from './images.ts';

/** Where the Postgres and NATS of tests come from. */
export type ServerSource = 'container' | 'embedded';

/**
 * Containers where an engine answers and has all images, fetched if need be; else the embedded servers: then nothing is
 * missing either. `announce` is told the choice and its reason in one line.
 */
export async function chooseServers(announce: (line: string) => void = () => {}): Promise<ServerSource> {
  const hindrance = await findHindrance(announce);
  announce(
    hindrance
      ? `tests use the embedded Postgres and NATS: ${hindrance}`
      : `tests use containers: ${Object.values(images).join(', ')}`,
  );
  return hindrance ? 'embedded' : 'container';
}

/** Why tests cannot run in containers here. */
async function findHindrance(announce: (line: string) => void): Promise<string | undefined> {
  const client = await getContainerRuntimeClient().catch(() => undefined);
  if (!client) return 'no container engine answers';
  for (const name of Object.values(images)) {
    const image = ImageName.fromString(name);
    if (!(await client.image.exists(image))) announce(`tests fetch the image ${name}`);
    const failure = await client.image.pull(image).then(() => undefined, firstLine);
    // A download that breaks off does not fail.
    const isHere = !failure && (await client.image.exists(image));
    if (!isHere) return `the container engine cannot get ${name}: ${failure ?? 'the download broke off'}`;
  }
  // It removes the containers of a run that was killed, and has an image of its own.
  return getReaper(client).then(
    () => undefined,
    (error: unknown) => `Testcontainers cannot start its cleaner: ${firstLine(error)}`,
  );
}

function firstLine(error: unknown): string {
  const [line = ''] = String(error instanceof Error ? error.message : error).split('\n');
  return line.trim();
}

/** Starts Postgres in a container that ends with the stack. Answers its superuser's URL. */
export async function startPostgresContainer(stack: AsyncDisposableStack): Promise<string> {
  const container = await new GenericContainer(images.postgres)
    .withEnvironment({ POSTGRES_PASSWORD: 'parley' })
    .withExposedPorts(5432)
    .withCommand(['postgres', '-c', 'fsync=off', '-c', 'max_connections=300'])
    // The server starts twice: once for its own set-up.
    .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
    .start();
  stack.use(container);
  return `postgres://postgres:parley@${container.getHost()}:${container.getMappedPort(5432)}/postgres`;
}

/** A NATS server with JetStream, still to be started, on a free port of this machine or on the given one. */
export function natsContainer(port?: number, args: string[] = []): GenericContainer {
  return new GenericContainer(images.nats)
    .withCommand(['-js', '-sd', '/data', ...args])
    .withExposedPorts(port === undefined ? 4222 : { container: 4222, host: port })
    .withWaitStrategy(Wait.forLogMessage(/Server is ready/));
}
