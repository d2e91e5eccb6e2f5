import { RE2JS } from 're2js';

/** Compiles a pattern, such as the one of a text. Throws for one that is not RE2. */
export function compilePattern(pattern: string): RE2JS {
  return RE2JS.compile(pattern);
}

/** Resolves when the patterns of a definition can be compiled. */
export async function loadPatterns(_definition: unknown): Promise<void> {}

/** Returns whether the patterns of a definition cannot be compiled yet. */
export function lacksPatterns(_definition: unknown): boolean {
  return false;
}
