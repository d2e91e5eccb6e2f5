import type { ApiDocument, Operation } from '@parley/testing/setup/contract';

/** An operation of the API with its path and method. */
export type NamedOperation = Operation & { path: string; method: string };

/** Returns the operations of the API, in the order of its description. */
export function operationsOf({ paths }: ApiDocument): NamedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  );
}
