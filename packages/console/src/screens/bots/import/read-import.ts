// First, because the other modules create schemas.
import '../../../no-evaluation.ts';
import { bytesFault } from '@parley/bot/definition';
import { loadPatterns } from '@parley/bot/patterns';
import { importBot, importBytesMax, type Imported } from '@parley/bot-import';
import { decodeText } from '@parley/bulk/decode';
import { JsonError, readJson } from '@parley/runtime/json/json';
import type { Texts } from '../../../texts/texts.tsx';

/** Why a file does not become a bot. `line`: of the first place that is no JSON. */
export type ImportFault =
  | { kind: 'fileTooLarge'; mebibytes: number }
  | { kind: 'damaged' }
  | { kind: 'notJson'; line: number }
  | { kind: 'unknownFormat' }
  | { kind: 'botTooLarge'; detail: string };

/** Converts a file of another product, or says why it cannot. */
export async function readImport(file: Blob): Promise<{ imported: Imported } | { fault: ImportFault }> {
  if (file.size > importBytesMax) {
    return { fault: { kind: 'fileTooLarge', mebibytes: importBytesMax / 1024 / 1024 } };
  }
  const { text, isDamaged } = decodeText(new Uint8Array(await file.arrayBuffer()));
  if (isDamaged) return { fault: { kind: 'damaged' } };
  let value: unknown;
  try {
    value = readJson(text, { repeatedMax: 1 }).value;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { fault: { kind: 'notJson', line: text.slice(0, error.fault.offset).split('\n').length } };
  }
  await loadPatterns(value);
  const imported = importBot(value);
  if (imported === undefined) return { fault: { kind: 'unknownFormat' } };
  const tooLarge = bytesFault(imported.definition);
  return tooLarge ? { fault: { kind: 'botTooLarge', detail: tooLarge.detail } } : { imported };
}

export function faultWords(fault: ImportFault, t: Texts['botImport']): string {
  switch (fault.kind) {
    case 'fileTooLarge':
      return t.fileTooLarge(fault.mebibytes);
    case 'damaged':
      return t.damaged;
    case 'notJson':
      return t.notJson(fault.line);
    case 'unknownFormat':
      return t.unknownFormat;
    case 'botTooLarge':
      return `${t.botTooLarge} ${fault.detail}`;
  }
}
