import { describeInput } from '@parley/bot/editing/known-values';
import { textIn } from '../steps/fields/step-list.ts';

/** What the picture of a step shows. Of a question, how it is answered. */
export type Picture =
  | 'message'
  | 'computed'
  | 'decision'
  | 'end'
  | 'model'
  | 'question'
  | 'table'
  | 'order'
  | 'several'
  | 'oneOf'
  | 'tick'
  | 'scale'
  | 'either'
  | 'lines'
  | 'line';

const ofKinds: Record<string, Picture> = {
  say: 'message',
  set: 'computed',
  branch: 'decision',
  end: 'end',
  llm: 'model',
};

/** Returns the picture of a step. A type of questions that this console does not know has one by its form. */
export function pictureOf(step: Record<string, unknown>, locale: string): Picture {
  const ofKind = ofKinds[textIn(step, 'kind')];
  if (ofKind) return ofKind;
  const { needs, effort } = describeInput(step['input'], locale) ?? {};
  if (!needs) return 'question';
  if (needs.rows) return 'table';
  if (needs.rankMax !== undefined) return 'order';
  if (needs.maxSelections !== undefined) return 'several';
  if (needs.choices) return 'oneOf';
  if (needs.label !== undefined) return 'tick';
  if (effort === 'press') return typeof needs.min === 'number' ? 'scale' : 'either';
  return effort === 'text' ? 'lines' : 'line';
}
