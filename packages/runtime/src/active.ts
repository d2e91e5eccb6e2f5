import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, type ContextManager, ROOT_CONTEXT } from '@opentelemetry/api';

/** What work is part of: a recorded span, as a context of OpenTelemetry, or the `traceparent` of what is none. */
export type Active = Context | string;

/** What is active. Carrying a text costs a fraction of what a context and a span that records nothing do. */
export const active = new AsyncLocalStorage<Active>();

/** Lets OpenTelemetry see and set the same: contexts of its own would have to be carried beside ours. */
export const contextManager: ContextManager = {
  active: () => {
    const store = active.getStore();
    return typeof store === 'object' ? store : ROOT_CONTEXT;
  },
  with: (context, work, thisArg, ...args) => active.run(context, () => work.apply(thisArg, args)),
  // Emitters are left as they are: only libraries that are patched bind them.
  bind: (context, target) => {
    if (typeof target !== 'function') return target;
    const bound = function (this: unknown, ...args: unknown[]): unknown {
      return active.run(context, () => Reflect.apply(target, this, args) as unknown);
    };
    return bound as typeof target;
  },
  enable: () => contextManager,
  disable: () => contextManager,
};
