import type { ApiDocument, Operation } from '@parley/testing/contract';

/** Returns the operations of the API, in the order of its description. */
export function operationsOf({ paths }: ApiDocument): (Operation & { path: string; method: string })[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  );
}
