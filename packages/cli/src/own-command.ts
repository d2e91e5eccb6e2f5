import { basename, relative } from 'node:path';

/** How the command line was called here. Followed by arguments, it works again from the same folder. */
export const parley = ownCommand(process.argv[1] ?? '', process.env);

/** Whether npm's `run` has called it, which takes options that come before `--` for its own. */
export const isNpmScript = process.env['npm_lifecycle_event'] === 'parley';

function ownCommand(script: string, { npm_lifecycle_event: event }: NodeJS.ProcessEnv): string {
  if (event === 'parley') return 'npm run --silent parley --';
  // Installed, it is called by the name of its bin.
  if (basename(script) !== 'parley') return `node ${quoted(relative('', script))}`;
  return script.includes('/node_modules/.bin/') ? 'npx parley' : 'parley';
}

/** The text as one word of a shell, which no command takes for an option. */
export function quoted(text: string): string {
  const word = text.startsWith('-') ? `./${text}` : text;
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
