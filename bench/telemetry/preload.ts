import { registerHooks } from 'node:module';

// Preloaded into a service that is to run without telemetry: puts `absent.ts` in the place of the real module.
const real = new URL('../../packages/runtime/src/telemetry.ts', import.meta.url).href;
const absent = new URL('absent.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    return resolved.url === real ? { ...resolved, url: absent } : resolved;
  },
});
