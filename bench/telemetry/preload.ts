import { registerHooks } from 'node:module';

// Preloaded into a service whose telemetry is switched. Replaces a module by its switchable version and passes on the
// port of the switch. The real module can still be imported with a query in its URL.
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
