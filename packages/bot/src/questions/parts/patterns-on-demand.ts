import type { RE2JS } from 're2js';

// In browsers, in place of `patterns.ts`. RE2 is a fifth of the editor of bots, and few bots have a pattern.

let compiler: typeof RE2JS | undefined;

/** Compiles a pattern, such as the one of a text. Throws for one that is not RE2, and before RE2 is loaded. */
export function compilePattern(pattern: string): RE2JS {
  if (!compiler) throw new Error('RE2 is not loaded');
  return compiler.compile(pattern);
}

/** Resolves when the patterns of a definition can be compiled. */
export async function loadPatterns(definition: unknown): Promise<void> {
  if (!compiler && hasPattern(definition)) compiler = (await import('re2js')).RE2JS;
}

/** Returns whether the patterns of a definition cannot be compiled yet. */
export function lacksPatterns(definition: unknown): boolean {
  return !compiler && hasPattern(definition);
}

function hasPattern(definition: unknown): boolean {
  return definition !== undefined && JSON.stringify(definition).includes('"pattern"');
}
