import { accessSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { type Part, replaced } from './parts.ts';

// Preloaded into a service. Replaces our own code for calls or statements by the libraries below it.
const part = new URL(import.meta.url).searchParams.get('part') as Part;
const ours = new URL(`../../packages/${replaced[part]}.ts`, import.meta.url).href;
const plain = new URL(`plain-${part}.ts`, import.meta.url).href;

// Otherwise a module that has moved would be measured in place of the plain one.
accessSync(new URL(ours));

registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    return resolved.url === ours ? { ...resolved, url: plain } : resolved;
  },
});
