import { isJsonObject } from '@parley/runtime/json/json-object';
import type { Language } from '../../../../texts/language.ts';
import type { Texts } from '../../../../texts/texts.tsx';
import { withoutPlaceholders, wordsOf } from '../../../../ui/words.ts';
import { kindWords, outlineOf } from '../steps/fields/outline.ts';
import { type StepList, textIn, wordingOf } from '../steps/fields/step-list.ts';
import { typeWords } from '../steps/fields/type-titles.ts';
import { graphOf, type Way } from './graph.ts';
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
  /** Whether there is room for figures. */
  hasFigures: boolean;
  isReached: boolean;
  /** Where its ways lead, for those who do not see them. */
  leads: string[];
  box: Box;
}

export interface DrawnWay extends Way {
  /** When it is taken; undefined for a way without words. */
  words: (Lines & Box) | undefined;
  points: Point[];
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

type Words = Pick<Texts, 'steps' | 'editor'>;

/** Returns the map of a list of steps. `figured`: the ids of the steps that need room for figures. */
export function drawingOf(
  words: Words,
  language: Language,
  list: StepList,
  figured: readonly string[] = [],
): Drawing {
  const { steps: t } = words;
  const { locale, steps: outlined, values } = outlineOf(t, list);
  const { ways, isReached } = graphOf(list.steps);
  const wordsOfWays = ways.map((way) =>
    linesOf(wayWords(words, way, values, outlined[way.from]?.id ?? ''), room.way),
  );
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
      leads: ways.flatMap(({ from, to }, at) =>
        from === index ? [`${wordsOfWays[at]?.text ?? t.thenGo}: ${outlined[to]?.label ?? ''}`] : [],
      ),
    };
  });
  const layout = layOut(
    steps.map(sizeOfStep),
    ways.map(({ from, to }, at) => ({ from, to, words: wordsOfWays[at] && sizeOfWords(wordsOfWays[at]) })),
  );
  const empty = { x: 0, y: 0, width: 0, height: 0 };
  return {
    width: layout.width,
    height: layout.height,
    steps: steps.map((step, index) => ({ ...step, box: layout.steps[index] ?? empty })),
    ways: ways.map((way, at) => {
      const { points = [], words: box } = layout.ways[at] ?? {};
      const said = wordsOfWays[at];
      return { ...way, points, words: said && box && { ...said, ...box } };
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

function sizeOfWords({ text, lines }: Lines): Size {
  return { width: lines > 1 ? wayWidth : Math.min(wayWidth, 16 + text.length * 7), height: 4 + lines * 16 };
}
