import { isJsonObject } from '@parley/runtime/json/json-object';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { LocalText } from '../definition/format.ts';
import type { Path } from '../editing/json-edits.ts';
import { stepsIn } from '../editing/references.ts';
import { impliedLabelsOf } from '../questions/implied-labels.ts';

/** A text of a step that customers read. */
export interface TextPlace {
  /** Names it while steps and choices move: `size.text`, `size.input.choices.small`. */
  key: string;
  stepId: string;
  /** The key without the step. */
  place: string;
  /** Its place in the definition. */
  path: Path;
  text: LocalText;
  /** A label has no references, and is shorter. */
  isLabel: boolean;
  /** The object that has the text, if the definition only implies it. */
  implied?: { path: Path; value: Record<string, string> };
}

/** The most characters of a text, and of a label. */
export const textCharactersMax = 4000;
export const labelCharactersMax = 150;

/** Returns the texts of a definition that may have faults, in its order. */
export function textPlaces(definition: unknown): TextPlace[] {
  return stepsIn(definition).flatMap((step, index) => {
    const { id } = step;
    if (typeof id !== 'string') return [];
    return placesIn(step).map(({ place, path, text, isLabel, implied }) => {
      const at: Path = ['steps', index];
      return {
        key: `${id}.${place}`,
        stepId: id,
        place,
        path: [...at, ...path],
        text,
        isLabel,
        ...(implied && { implied: { path: [...at, 'input', 'labels'], value: implied } }),
      };
    });
  });
}

type Inside = Pick<TextPlace, 'place' | 'path' | 'text' | 'isLabel'> & {
  implied?: Record<string, string> | undefined;
};

function placesIn(step: Record<string, unknown>): Inside[] {
  const found: Inside[] = [];
  const add = (place: string, path: Path, text: unknown, isLabel: boolean): void => {
    if (isText(text)) found.push({ place, path, text, isLabel });
  };
  if (step['kind'] === 'llm') return found;
  add('text', ['text'], step['text'], false);
  add('retry.text', ['retry', 'text'], membersOf(step['retry'])['text'], false);
  const input = membersOf(step['input']);
  const implied = impliedLabelsOf(input);
  for (const [name, text] of Object.entries(implied ?? {})) {
    const path = ['input', 'labels', name];
    found.push({ place: path.join('.'), path, text, isLabel: true, implied });
  }
  for (const [name, value] of Object.entries(input)) {
    if (name === 'label') add('input.label', ['input', 'label'], value, true);
    if (name === 'other') add('input.other', ['input', 'other', 'label'], membersOf(value)['label'], true);
    if (name === 'labels') {
      for (const [end, label] of Object.entries(membersOf(value)))
        add(`input.labels.${end}`, ['input', 'labels', end], label, true);
    }
    if (!Array.isArray(value)) continue;
    value.forEach((one: unknown, index) => {
      const { value: own, label } = membersOf(one);
      add(`input.${name}.${String(own)}`, ['input', name, index, 'label'], label, true);
    });
  }
  return found;
}

function isText(text: unknown): text is LocalText {
  if (typeof text === 'string') return true;
  return (
    typeof text === 'object' &&
    text !== null &&
    !Array.isArray(text) &&
    Object.values(text).every((wording) => typeof wording === 'string')
  );
}

function membersOf(value: unknown): Record<string, unknown> {
  return isJsonObject(value) ? value : {};
}

/** Returns what a translation keeps of the text that it translates: eight hexadecimal digits of its SHA-256. */
export function sourceMark(source: string): string {
  return bytesToHex(sha256(utf8ToBytes(source))).slice(0, 8);
}

/** Returns the bot's own language. */
export function ownLanguage(definition: unknown): string {
  const { locale } = membersOf(definition);
  return typeof locale === 'string' ? locale : 'en';
}

/** Returns the wording in exactly this language, without fallback. */
export function wordingIn(text: LocalText, language: string, own: string): string | undefined {
  const isOwn = language.toLowerCase() === own.toLowerCase();
  if (typeof text === 'string') return isOwn ? text : undefined;
  return Object.entries(text).find(([tag]) => tag.toLowerCase() === language.toLowerCase())?.[1];
}

/** Returns the text that translations translate. */
export function sourceOf(text: LocalText, own: string): string {
  return wordingIn(text, own, own) ?? (typeof text === 'string' ? text : (Object.values(text)[0] ?? ''));
}
