import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import config from '../vitest.config.ts';

/** The arguments select no tests; the message says why, in one line. */
export class SelectionError extends Error {
  override readonly name = 'SelectionError';
}

interface Project {
  name: string;
  include: string[];
}

const projects = (config.test?.projects ?? []).map((project) => (project as { test: Project }).test);

/** What `npm test` was given, as the test runner takes it. Throws `SelectionError`. */
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

/** Whether tests of the project are among those that `npm test` was given. Throws `SelectionError`. */
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
    // Of Node's words the first sentence; what follows is about file names that begin with a dash.
    const [sentence = ''] = (error as Error).message.split(/\.\s/);
    throw new SelectionError(sentence, { cause: error });
  }
}
