import type { createClient } from '@parley/client';
import type { ApiDocument, Operation } from '@parley/testing/setup/contract';

export type NamedOperation = Operation & { path: string; method: string };

/** Returns the operations of the API, in the order of its description. */
export function operationsOf({ paths }: ApiDocument): NamedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  );
}

/** Returns a query of the examples of the parameters that must be given. Empty without one. */
export function requiredQuery(parameters: Operation['parameters']): string {
  const required = parameters.filter((one) => one.in === 'query' && one.required);
  return required.length > 0 ? `?${required.map(({ name, example }) => `${name}=${example}`).join('&')}` : '';
}

/** The `fetch` of a client. */
export type Fetch = NonNullable<Parameters<typeof createClient>[0]['fetch']>;

/**
 * Returns `fetch`, and the operations of the API's description that it was used for. `all`: the operations for clients.
 */
export function recordingFetch(description: ApiDocument) {
  const routes = operationsOf(description).map(({ operationId, method, path }) => ({
    operationId,
    method,
    path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    isOfClients: /^\/(?:public\/)?v1\//.test(path),
  }));
  const called = new Set<string>();
  const record: Fetch = (url, init) => {
    const { pathname } = new URL(url);
    const found = routes.find(({ method, path }) => method === init.method && path.test(pathname));
    called.add(found?.operationId ?? pathname);
    return fetch(url, init);
  };
  const all = routes.filter(({ isOfClients }) => isOfClients).map(({ operationId }) => operationId);
  return { fetch: record, called, all };
}
