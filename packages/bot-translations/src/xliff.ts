import type { TranslationTable } from '@parley/bot/translations/table';
import type { Translation } from '@parley/bot/translations/translate';
import { SaxesParser } from 'saxes';

const namespace = 'urn:oasis:names:tc:xliff:document:2.0';
const references = /\{\{[^{}]*\}\}/g;

/**
 * Returns the texts of a bot with their translations into one language as XLIFF 2.1 (OASIS). References are inline
 * codes, so tools for translators keep them. `id`: the key of the bot.
 */
export function translationsXliff(table: TranslationTable, language: string, id: string): string {
  const units = table.rows.map(({ key, source, wordings }) => {
    const { text = '', state = 'missing' } = wordings[language] ?? {};
    const known = codesOf(source);
    const isOpen = state === 'stale' || state === 'faulty';
    const subState = isOpen ? ` subState="parley:${state}"` : '';
    return [
      `    <unit id="${escaped(key)}">`,
      `      <segment state="${state === 'done' ? 'translated' : 'initial'}"${subState}>`,
      `        <source xml:space="preserve">${inline(source, known)}</source>`,
      ...(text === '' ? [] : [`        <target xml:space="preserve">${inline(text, known)}</target>`]),
      '      </segment>',
      '    </unit>',
    ].join('\n');
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<xliff xmlns="${namespace}" version="2.1" srcLang="${escaped(table.own)}" trgLang="${escaped(language)}">`,
    `  <file id="${escaped(id)}">`,
    ...units,
    '  </file>',
    '</xliff>',
    '',
  ].join('\n');
}

/** Returns an id for each reference of a source; the same one for the same reference. */
function codesOf(source: string): Map<string, string> {
  const codes = new Map<string, string>();
  for (const [found] of source.matchAll(references))
    if (!codes.has(found)) codes.set(found, `r${codes.size + 1}`);
  return codes;
}

/** Codes of a segment have ids of their own, also for a reference that is there twice. */
function inline(text: string, known: ReadonlyMap<string, string>): string {
  let made = '';
  let at = 0;
  const used = new Map<string, number>();
  for (const match of text.matchAll(references)) {
    const [found] = match;
    const base = known.get(found) ?? `x${used.size + 1}`;
    const times = (used.get(base) ?? 0) + 1;
    used.set(base, times);
    const id = times === 1 ? base : `${base}-${times}`;
    made += `${escaped(text.slice(at, match.index))}<ph id="${id}" disp="${escaped(found)}"/>`;
    at = match.index + found.length;
  }
  return made + escaped(text.slice(at));
}

function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;');
}

interface Segment {
  source: string;
  target: string;
  /** It is between segments, such as a space. */
  isIgnorable: boolean;
}

/** Returns the texts of a unit. What is between segments is rarely given twice. */
function wordsOf(segments: readonly Segment[]): Pick<Translation, 'text' | 'source'> {
  const source = segments.map((one) => one.source).join('');
  const isWhole = segments.every((one) => one.isIgnorable || one.target !== '' || one.source === '');
  const targets = segments.map((one) => one.target || (one.isIgnorable ? one.source : ''));
  return { text: isWhole ? targets.join('') : '', ...(source !== '' && { source }) };
}

/** Why a file has no translations. */
export type XliffFault = { kind: 'not-xml'; line: number } | { kind: 'not-xliff' };

/**
 * Reads the translations of an XLIFF file of version 2. Inline codes are what they display, else the text in them.
 * Segments of a unit follow one another; a unit of which one lacks its target has none. Notes, matches and other
 * modules are passed over, also the sources and targets in them.
 */
export function readTranslationsXliff(
  text: string,
): { translations: Translation[]; language: string } | { fault: XliffFault } {
  const parser = new SaxesParser({ xmlns: true });
  let fault: XliffFault | undefined;
  let language: string | undefined;
  let key: string | undefined;
  let part: 'source' | 'target' | undefined;
  let segments: Segment[] = [];
  let segment: Segment | undefined;
  /** How many elements of other namespaces, and elements in these, are open. */
  let foreign = 0;
  const translations: Translation[] = [];
  const add = (characters: string): void => {
    if (segment !== undefined && part !== undefined && foreign === 0) segment[part] += characters;
  };
  parser.on('error', () => {
    fault ??= { kind: 'not-xml', line: parser.line };
  });
  parser.on('opentag', ({ local, uri, attributes }) => {
    if (uri !== namespace || foreign > 0) {
      foreign += 1;
      return;
    }
    if (local === 'xliff') language = attributes['trgLang']?.value ?? '';
    if (local === 'unit') {
      key = attributes['id']?.value;
      segments = [];
    }
    if (local === 'segment' || local === 'ignorable') {
      segment = { source: '', target: '', isIgnorable: local === 'ignorable' };
      segments.push(segment);
    }
    if (local === 'source' || local === 'target') part = local;
    if (local === 'ph' || local === 'cp') add(attributes['disp']?.value ?? '');
  });
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', ({ local }) => {
    if (foreign > 0) {
      foreign -= 1;
      return;
    }
    if (local === 'source' || local === 'target') part = undefined;
    if (local === 'segment' || local === 'ignorable') segment = undefined;
    if (local !== 'unit' || key === undefined) return;
    translations.push({ key, language: language ?? '', ...wordsOf(segments) });
    key = undefined;
  });
  parser.write(text.replace(/^\uFEFF/, '')).close();
  if (fault !== undefined) return { fault };
  return language === undefined ? { fault: { kind: 'not-xliff' } } : { translations, language };
}
