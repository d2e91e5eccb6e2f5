import { registerHooks } from 'node:module';

// Preloaded into a service whose telemetry is switched on and off: replaces the real module by `switched.ts`, and
// passes on the port of the switch. The real one is still available, under a query.
const real = new URL('../../packages/runtime/src/telemetry.ts', import.meta.url).href;
const switched = new URL(`switched.ts${new URL(import.meta.url).search}`, import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    return resolved.url === real ? { ...resolved, url: switched } : resolved;
  },
});
