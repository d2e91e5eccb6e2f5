import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { counted } from '../counted.ts';
import { Failure } from '../failure.ts';
import { type BotFile, readBot } from '../files/bot-file.ts';
import { pathOf, reasonOf } from '../files/named-file.ts';
import type { Shell } from '../shell.ts';
import { repeatedKeys, repeatedSections, repeatedUrls, secretFaults } from './checks.ts';
import type { Settings, WebhookSettings } from './settings.ts';
import {
  brandingIn,
  type BrandingSettings,
  type Described,
  described,
  readSettings,
  type SettingsFile,
  webhooksIn,
} from './settings-file.ts';

/** What the files of a folder describe. What no file names is undefined. */
export interface Desired {
  allowedDomains?: Described<string[]>;
  branding?: Described<BrandingSettings>;
  retention?: Described<NonNullable<Settings['retention']>>;
  contactPolicy?: Described<NonNullable<Settings['contactPolicy']>>;
  webhooks?: Described<WebhookSettings>[];
  bots: BotFile[];
}

type Faults = NonNullable<Failure['faults']>;

const extensions = ['.json', '.yaml', '.yml'];
const botFolder = 'bots';

/**
 * Reads the settings in the files of a folder, and the bots in its folder `bots`. Throws a `Failure` with all
 * faults of all files, also of variables that are not set.
 */
export async function readFolder(folder: string, shell: Shell): Promise<Desired> {
  const entries = await entriesOf(folder, shell);
  const faults: Faults = [];
  const attempt = async <Value>(file: string, read: () => Promise<Value>): Promise<Value[]> => {
    try {
      return [await read()];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      faults.push(...(error.faults ?? [{ pointer: '', detail: error.message, file }]));
      return [];
    }
  };
  const [settingsFiles, botFiles] = [filesIn(entries), [] as string[]];
  for (const { name } of entries.filter(isFolder)) {
    const inner = filesIn(await entriesOf(join(folder, name), shell)).map((file) => join(name, file));
    if (name === botFolder) botFiles.push(...inner);
    else
      for (const file of inner) {
        const known = `settings are directly in ${folder}, bots in ${join(folder, botFolder)}`;
        const detail = `${join(folder, file)} is in no known folder: ${known}`;
        faults.push({ pointer: '', detail, file });
      }
  }
  if (settingsFiles.length + botFiles.length + faults.length === 0) {
    throw new Failure(`${folder} has no settings and no bots`, { type: 'empty-folder' });
  }
  const read: SettingsFile[] = [];
  for (const name of settingsFiles)
    read.push(...(await attempt(name, () => readSettings(join(folder, name), shell))));
  const bots: BotFile[] = [];
  for (const name of botFiles) bots.push(...(await attempt(name, () => readBot(join(folder, name), shell))));
  faults.push(...repeatedKeys(bots), ...repeatedSections(read));
  const webhooks = read.flatMap(webhooksIn);
  faults.push(...repeatedUrls(webhooks), ...secretFaults(webhooks, shell));
  const logo = await attempt(folder, async () => brandingIn(read, shell));
  if (faults.length > 0) throw invalid(folder, faults);
  const allowedDomains = sectionOf(read, 'allowedDomains');
  const retention = sectionOf(read, 'retention');
  const contactPolicy = sectionOf(read, 'contactPolicy');
  return {
    ...(allowedDomains && { allowedDomains }),
    ...(logo[0] && { branding: logo[0] }),
    ...(retention && { retention }),
    ...(contactPolicy && { contactPolicy }),
    ...(read.some(({ content }) => content.webhooks) && { webhooks }),
    bots,
  };
}

function isFolder(entry: Dirent): boolean {
  // A mounted folder can be a symbolic link.
  return (entry.isDirectory() && !entry.name.startsWith('.')) || entry.name === botFolder;
}

function invalid(folder: string, faults: Faults): Failure {
  return new Failure(`The files in ${folder} are not valid: ${counted(faults.length, 'fault')}`, {
    type: 'invalid-files',
    faults,
  });
}

async function entriesOf(folder: string, shell: Shell): Promise<Dirent[]> {
  try {
    const entries = await readdir(pathOf(folder, shell), { withFileTypes: true });
    return entries.toSorted((left, right) => (left.name < right.name ? -1 : 1));
  } catch (cause) {
    const isAbsent = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    const isFile = cause instanceof Error && 'code' in cause && cause.code === 'ENOTDIR';
    const reason = isAbsent ? 'there is no folder' : isFile ? 'this is not a folder:' : 'unreadable folder';
    const detail = isAbsent || isFile ? '' : `: ${reasonOf(cause)}`;
    throw new Failure(`${reason} ${folder}${detail}`, { type: 'unreadable-folder', cause });
  }
}

function filesIn(entries: readonly Dirent[]): string[] {
  return entries
    .filter((one) => !one.isDirectory() && !one.name.startsWith('.'))
    .map(({ name }) => name)
    .filter((name) => extensions.includes(extname(name).toLowerCase()));
}

function sectionOf<Name extends 'allowedDomains' | 'retention' | 'contactPolicy'>(
  files: readonly SettingsFile[],
  name: Name,
): Described<NonNullable<Settings[Name]>> | undefined {
  for (const file of files) {
    const value = file.content[name];
    // The API has the faults of domains below their field.
    if (value !== undefined) return described(file, value, name === 'allowedDomains' ? '' : `/${name}`);
  }
  return undefined;
}
