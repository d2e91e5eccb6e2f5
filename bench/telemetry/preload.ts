import { registerHooks } from 'node:module';

// Preloaded into a service whose telemetry is to be switched on and off: puts a module that can be switched in the
// place of the real one, and passes on the port of the switch. The real one is still to be had, under a query.
const { search, searchParams } = new URL(import.meta.url);
const module = searchParams.get('module');
const real = new URL(`../../packages/runtime/src/${module}.ts`, import.meta.url).href;
const switched = new URL(`switched-${module}.ts${search}`, import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    return resolved.url === real ? { ...resolved, url: switched } : resolved;
  },
});
