import { hash } from 'node:crypto';
import { brandingLimits } from '@parley/contracts/limits';
import type { Fault } from '@parley/runtime/errors';
import { faultMessage, zodFaults } from '@parley/runtime/zod-faults';
import { dirname, join } from 'node:path';
import { Failure, type FaultInFile } from '../failure.ts';
import type { JsonFile } from '../files/json-file.ts';
import { readBytes } from '../files/text-file.ts';
import { readDataFile } from '../files/yaml-file.ts';
import type { Shell } from '../shell.ts';
import { type Settings, settings, type WebhookSettings } from './settings.ts';

/** Something that a file describes, with the place of a fault that the API finds in it. */
export interface Described<Value> {
  value: Value;
  file: string;
  place(fault: Fault): FaultInFile;
}

export type BrandingSettings = Omit<NonNullable<Settings['branding']>, 'logo'> & {
  logo?: { file: string; bytes: Buffer; digest: string } | null;
};

export type SettingsFile = JsonFile & { content: Settings };

/** The lines of the file are never shown: a faulty file may have a secret in any of them. */
export async function readSettings(file: string, shell: Shell): Promise<SettingsFile> {
  const read = await readDataFile(file, shell).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    const faults = error.faults?.map((fault) => ('place' in fault ? withoutLine(fault) : fault));
    throw new Failure(error.message, { type: error.type, faults, cause: error });
  });
  const place: JsonFile['place'] = (fault) => withoutLine(read.place(fault));
  const { data, error } = settings.safeParse(read.value, { error: faultMessage });
  const faults = [...read.repeated.map(withoutLine), ...(error ? zodFaults(error).map(place) : [])];
  if (data && faults.length === 0) return { ...read, place, content: data };
  throw new Failure(`${file} is not valid`, { type: 'invalid-settings', faults });
}

function withoutLine(fault: FaultInFile): FaultInFile {
  return { ...fault, place: { ...fault.place, frame: '' } };
}

export function described<Value>({ file, place }: JsonFile, value: Value, pointer: string): Described<Value> {
  return { value, file, place: (fault) => place({ ...fault, pointer: `${pointer}${fault.pointer}` }) };
}

export function webhooksIn(file: SettingsFile): Described<WebhookSettings>[] {
  return (file.content.webhooks ?? []).map((one, index) => described(file, one, `/webhooks/${index}`));
}

export async function brandingIn(
  files: readonly SettingsFile[],
  shell: Shell,
): Promise<Described<BrandingSettings> | undefined> {
  const file = files.find(({ content }) => content.branding);
  if (!file?.content.branding) return undefined;
  const { logo, ...rest } = file.content.branding;
  const base = described(file, rest, '/branding');
  if (!logo) return logo === null ? { ...base, value: { ...rest, logo } } : base;
  try {
    const path = join(dirname(file.file), logo);
    const bytes = await readBytes(path, shell);
    const { logoBytesMax } = brandingLimits;
    if (bytes.length === 0 || bytes.length > logoBytesMax)
      throw new Failure(`${path} has ${bytes.length} bytes; a logo has 1 to ${logoBytesMax}`, {
        type: 'unusable-logo',
      });
    if (!mediaTypeOf(bytes))
      throw new Failure(`${path} is not a PNG, JPEG or WebP image`, { type: 'unusable-logo' });
    const digest = hash('sha256', bytes, 'hex');
    return { ...base, value: { ...rest, logo: { file: path, bytes, digest } } };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const faults = [base.place({ pointer: '/logo', detail: error.message })];
    throw new Failure(error.message, { type: 'unusable-logo', faults });
  }
}

/** Undefined for what no logo may be. The API checks the rest of the image. */
export function mediaTypeOf(bytes: Buffer): string | undefined {
  const start = bytes.toString('latin1', 0, 12);
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  return /^RIFF[^]{4}WEBP$/.test(start) ? 'image/webp' : undefined;
}
