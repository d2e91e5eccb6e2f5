import { isJsonObject } from '@parley/runtime/json/json-object';
import type { Language } from '../../../../texts/language.ts';
import type { Texts } from '../../../../texts/texts.tsx';
import { withoutPlaceholders, wordsOf } from '../../../../ui/words.ts';
import { kindWords, outlineOf } from '../steps/fields/outline.ts';
import { type StepList, textIn, wordingOf } from '../steps/fields/step-list.ts';
import { typeWords } from '../steps/fields/type-titles.ts';
import { graphOf, type Way, wayKey } from './graph.ts';
import { type Box, layOut, type Point, type Size } from './layout.ts';
import { type Picture, pictureOf } from './picture.ts';
import { conditionWords, wayWords } from './way-words.ts';

/** A text in a box that has room for so many lines. */
export interface Lines {
  text: string;
  lines: number;
}

/** A step as the map shows it. */
export interface DrawnStep {
  index: number;
  id: string;
  picture: Picture;
  /** Its number, and its kind or the type of its question, such as `3. Rating`. */
  title: string;
  /** What it says, asks or computes. */
  says: Lines | undefined;
  /** The condition without which it is left out. */
  condition: Lines | undefined;
  /** Whether there is room for its figures. */
  hasFigures: boolean;
  isReached: boolean;
  /** Where its ways lead, for those who do not see them. `way` is the index of the way. */
  leads: { way: number; words: string }[];
  box: Box;
}

export interface DrawnWay extends Way, WayLabel {
  /** The place of its words and figures. */
  label: Box | undefined;
  points: Point[];
}

interface WayLabel {
  /** When it is taken; undefined for a way without words. */
  words: Lines | undefined;
  /** Whether there is room for the figures of all ways between its steps. The first of these has it. */
  hasFigures: boolean;
  /** Whether other ways lead from its step to the same one. */
  isOneOfSeveral: boolean;
}

export interface Drawing extends Size {
  steps: DrawnStep[];
  ways: DrawnWay[];
}

/** How many characters surely fit a line, and how many lines there are at most. */
const room = {
  says: { perLine: 27, most: 3 },
  condition: { perLine: 31, most: 2 },
  way: { perLine: 25, most: 3 },
};

const stepWidth = 232;
const wayWidth = 176;
const figuresWidth = { ofOne: 112, ofSeveral: wayWidth };

type Words = Pick<Texts, 'steps' | 'editor'>;

/** Returns the map of a list of steps. `figured`: which steps and ways need room for figures, as of `figuredOf`. */
export function drawingOf(
  words: Words,
  language: Language,
  list: StepList,
  figured: readonly string[] = [],
): Drawing {
  const { steps: t } = words;
  const { locale, steps: outlined, values } = outlineOf(t, list);
  const { ways, isReached } = graphOf(list.steps);
  const idOf = (index: number): string => textIn(list.steps[index] ?? {}, 'id');
  const labels = ways.map((way, at): WayLabel => {
    const { from, to } = way;
    const alike = ways.flatMap((one, index) => (one.from === from && one.to === to ? [index] : []));
    return {
      words: linesOf(wayWords(words, way, values, outlined[from]?.id ?? ''), room.way),
      hasFigures: alike[0] === at && figured.includes(wayKey(idOf(from), idOf(to))),
      isOneOfSeveral: alike.length > 1,
    };
  });
  const steps = list.steps.map((step, index): Omit<DrawnStep, 'box'> => {
    const type = typeWords(step['input'], language);
    const { when } = step;
    const condition =
      typeof when === 'string' ? `${t.condition}: ${conditionWords(words, when, values)}` : '';
    return {
      index,
      id: textIn(step, 'id'),
      picture: pictureOf(step, locale),
      title: `${index + 1}. ${type ?? kindWords(t, step)}`,
      says: linesOf(saidBy(step, locale), room.says),
      condition: linesOf(condition, room.condition),
      hasFigures: figured.includes(textIn(step, 'id')),
      isReached: isReached[index] ?? false,
      leads: ways.flatMap(({ from, to }, way) =>
        from === index
          ? [{ way, words: `${labels[way]?.words?.text ?? t.thenGo}: ${outlined[to]?.label ?? ''}` }]
          : [],
      ),
    };
  });
  const layout = layOut(
    steps.map(sizeOfStep),
    ways.map(({ from, to }, at) => ({ from, to, label: labels[at] && sizeOfLabel(labels[at]) })),
  );
  const empty = { x: 0, y: 0, width: 0, height: 0 };
  return {
    width: layout.width,
    height: layout.height,
    steps: steps.map((step, index) => ({ ...step, box: layout.steps[index] ?? empty })),
    ways: ways.map((way, at) => {
      const { points = [], label } = layout.ways[at] ?? {};
      const { words: said, hasFigures = false, isOneOfSeveral = false } = labels[at] ?? {};
      return { ...way, words: said, hasFigures, isOneOfSeveral, label, points };
    }),
  };
}

/** Returns what a step says or asks, its task for a model, or the results that it computes. */
function saidBy(step: Record<string, unknown>, locale: string): string {
  const text = [step['text'], step['prompt']].map((one) => wordingOf(one, locale).text.trim()).find(Boolean);
  if (text !== undefined) return withoutPlaceholders(text);
  const { evaluation } = step;
  return isJsonObject(evaluation) ? Object.keys(evaluation).map(wordsOf).join(', ') : '';
}

function linesOf(text: string, { perLine, most }: { perLine: number; most: number }): Lines | undefined {
  if (text === '') return undefined;
  return { text, lines: Math.min(most, Math.ceil(text.length / perLine)) };
}

/** The heights of the parts of a step, as its component shows them. */
function sizeOfStep({ says, condition, hasFigures }: Omit<DrawnStep, 'box'>): Size {
  const height =
    22 +
    20 +
    (says ? 4 + says.lines * 20 : 0) +
    (condition ? 4 + condition.lines * 16 : 0) +
    (hasFigures ? 4 + 16 + 14 : 0);
  return { width: stepWidth, height };
}

function sizeOfLabel({ words, hasFigures, isOneOfSeveral }: WayLabel): Size | undefined {
  if (!words && !hasFigures) return undefined;
  const { text, lines } = words ?? { text: '', lines: 0 };
  const ofWords = lines > 1 ? wayWidth : Math.min(wayWidth, 16 + text.length * 7);
  const ofFigures = isOneOfSeveral ? figuresWidth.ofSeveral : figuresWidth.ofOne;
  return {
    width: hasFigures ? Math.max(ofWords, ofFigures) : ofWords,
    height: 4 + (lines + (hasFigures ? 1 : 0)) * 16,
  };
}
