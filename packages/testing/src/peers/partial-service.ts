import type { Handlers } from '@parley/rpc/definition';
import { type Service, service } from '@parley/rpc/serve';
import { AppError } from '@parley/runtime/errors';

/** A service with some of its methods. The others reject with FAILED_PRECONDITION and the path of the method. */
export function partialService<const D extends Parameters<typeof service>[0]>(
  definition: D,
  handlers: Partial<Handlers<D>>,
  options?: Parameters<typeof service>[2],
): Service {
  const missing = Object.entries(definition).map(([name, { path }]) => {
    const reject = async (): Promise<never> => {
      throw new AppError('failed_precondition', 'no-handler', `The test has no handler for ${path}`);
    };
    return [name, reject];
  });
  return service(definition, { ...Object.fromEntries(missing), ...handlers } as Handlers<D>, options);
}
