import { createRequire } from 'node:module';
import type {
  handleBidiStreamingCall,
  Server,
  ServerDuplexStream,
  ServiceDefinition,
  UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type * as library from '@grpc/reflection';
import type * as contracts from '@parley/contracts/file-descriptors';
import type { AppError } from '@parley/runtime/errors';
import { toStatus } from '../wire/status.ts';

type Stream = ServerDuplexStream<unknown, unknown>;

/** The method of a version of the protocol, as `@grpc/reflection` defines it. */
interface Version {
  requestDeserialize(bytes: Buffer): unknown;
  responseSerialize(answer: unknown): Buffer;
  handle: handleBidiStreamingCall<unknown, unknown>;
}

const require = createRequire(import.meta.url);
const versions = ['v1', 'v1alpha'].map((version) => `grpc.reflection.${version}.ServerReflection`);

/**
 * Serves `grpc.reflection.v1` and `v1alpha`, which describe services to tools and clients in other languages. `paths`
 * are the paths of the server's methods. A stream for which `rejected` returns an error ends with it.
 */
export function addReflection(
  server: Server,
  paths: Iterable<string>,
  rejected: (stream: Stream) => AppError | undefined,
): void {
  const services = [...new Set(Array.from(paths, (path) => path.split('/')[1] ?? ''))];
  let loaded: Map<string, Version> | undefined;
  for (const version of versions) {
    const path = `/${version}/ServerReflectionInfo`;
    const use = (): Version => {
      loaded ??= load(services);
      const found = loaded.get(path);
      if (!found) throw new Error(`@grpc/reflection does not serve ${path}`);
      return found;
    };
    const handle = (stream: Stream): void => {
      const error = rejected(stream);
      if (error) stream.emit('error', toStatus(error));
      else use().handle(stream);
    };
    const serialize = (answer: unknown): Buffer => use().responseSerialize(answer);
    server.register(path, handle, serialize, (bytes) => use().requestDeserialize(bytes), 'bidi');
  }
}

/**
 * Returns the methods of the library by path. It reads all descriptors, a fifth of the processor time of a service's
 * start, so that is left to the first stream of a tool.
 */
function load(services: string[]): Map<string, Version> {
  const { ReflectionService } = require('@grpc/reflection') as typeof library;
  const { fileDescriptors } = require('@parley/contracts/file-descriptors') as typeof contracts;
  const fileDescriptorProtos = fileDescriptors.map((file) => Buffer.from(file, 'base64'));
  const reflection = new ReflectionService({ all: { fileDescriptorProtos } as never }, { services });
  const found = new Map<string, Version>();
  const addService = (definition: ServiceDefinition, implementation: UntypedServiceImplementation): void => {
    for (const [name, { path, requestDeserialize, responseSerialize }] of Object.entries(definition)) {
      const handle = implementation[name] as handleBidiStreamingCall<unknown, unknown>;
      found.set(path, { requestDeserialize, responseSerialize, handle });
    }
  };
  reflection.addToServer({ addService });
  return found;
}
