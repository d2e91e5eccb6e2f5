import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { type Context, type ContextManager, ROOT_CONTEXT } from '@opentelemetry/api';

/** What work is part of: a recorded span, as a context of OpenTelemetry, or the `traceparent` of what is none. */
export type Active = Context | string;

const active = new AsyncLocalStorage<Active>();
const outside = new AsyncResource('parley.outside');

/** What is active here, and in all that was begun here; undefined outside of everything. */
export function activeHere(): Active | undefined {
  return active.getStore();
}

/**
 * Runs `work` inside of something. `AsyncLocalStorage.run` does so too, and makes one map more, for what was active before;
 * to come back to that by way of a resource takes a fifth of the time, and every call of every service does this. Only
 * what is active goes in, no store of others. It needs Node's async context frames, which Node 24 has unless they are
 * switched off.
 */
export function runInside<Given, Result>(
  store: Active,
  work: (given: Given) => Result,
  given: Given,
): Result {
  return outside.runInAsyncScope(enter<Given, Result>, undefined, store, work, given);
}

function enter<Given, Result>(store: Active, work: (given: Given) => Result, given: Given): Result {
  active.enterWith(store);
  return work(given);
}

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
