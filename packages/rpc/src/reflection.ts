import type { Server, ServerDuplexStream, UntypedServiceImplementation } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { fileDescriptors } from '@parley/contracts/file-descriptors';
import type { AppError } from '@parley/runtime/errors';
import { toStatus } from './status.ts';

type Stream = ServerDuplexStream<unknown, unknown>;

/**
 * Serves `grpc.reflection.v1` and `v1alpha`, which describe services to tools and clients in other languages. `paths`
 * are those of the methods that the server has. A stream for which `rejected` returns an error ends with it.
 */
export function addReflection(
  server: Server,
  paths: Iterable<string>,
  rejected: (stream: Stream) => AppError | undefined,
): void {
  const fileDescriptorProtos = fileDescriptors.map((file) => Buffer.from(file, 'base64'));
  const services = [...new Set(Array.from(paths, (path) => path.split('/')[1] ?? ''))];
  const reflection = new ReflectionService({ all: { fileDescriptorProtos } as never }, { services });
  const addService: Server['addService'] = (definition, implementation) =>
    server.addService(definition, guarded(implementation, rejected));
  reflection.addToServer({ addService });
}

/** Returns the methods of a service with a check of the caller before each. */
function guarded(
  implementation: UntypedServiceImplementation,
  rejected: (stream: Stream) => AppError | undefined,
): UntypedServiceImplementation {
  const methods = Object.entries(implementation).map(([name, method]) => [
    name,
    (stream: Stream): void => {
      const error = rejected(stream);
      if (error) stream.emit('error', toStatus(error));
      else (method as (stream: Stream) => void)(stream);
    },
  ]);
  return Object.fromEntries(methods) as UntypedServiceImplementation;
}
