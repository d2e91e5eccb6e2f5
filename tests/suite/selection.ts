import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import config from '../../vitest.config.ts';

/** The arguments select no tests; the message has the reason, in one line. */
export class SelectionError extends Error {
  override readonly name = 'SelectionError';
}

interface Project {
  name: string;
  include: string[];
}

const projects = (config.test?.projects ?? []).map((project) => (project as { test: Project }).test);

/** Returns the arguments of `npm test` for the test runner. Throws `SelectionError`. */
export function readSelection(args: readonly string[], root: string): string[] {
  const { names, filters } = parse(args);
  const chosen = projects.filter(({ name }) => names.length === 0 || names.includes(name));
  for (const filter of filters) {
    const hasFile = chosen.some(({ include }) =>
      globSync(include, { cwd: root }).some((file) => resolve(root, file).includes(filter)),
    );
    if (!hasFile) throw new SelectionError(`no test file has "${filter}" in its path`);
  }
  return [...names.map((name) => `--project=${name}`), ...filters];
}

/** Returns whether the arguments of `npm test` select tests of the project. Throws `SelectionError`. */
export function selectsFrom(project: string, args: readonly string[], root: string): boolean {
  const { names, filters } = parse(args);
  if (names.length > 0 && !names.includes(project)) return false;
  const include = projects.find(({ name }) => name === project)?.include ?? [];
  const files = globSync(include, { cwd: root }).map((file) => resolve(root, file));
  return filters.length === 0 || files.some((file) => filters.some((filter) => file.includes(filter)));
}

function parse(args: readonly string[]): { names: string[]; filters: string[] } {
  const { project: names, rest: filters } = parsed(args);
  const known = projects.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new SelectionError(`there is no project "${unknown}", but ${known.join(', ')}`);
  return { names, filters };
}

function parsed(args: readonly string[]): { project: string[]; rest: string[] } {
  const options = { project: { type: 'string', multiple: true, default: [] as string[] } } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    return { project: values.project, rest: positionals };
  } catch (error) {
    // The first sentence of Node's message; the rest is about file names that start with a dash.
    const [sentence = ''] = (error as Error).message.split(/\.\s/);
    throw new SelectionError(sentence, { cause: error });
  }
}
