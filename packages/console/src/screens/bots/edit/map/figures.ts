import type { Insight } from '@parley/client';
import { wayRows } from '@parley/report/insight';
import type { Language } from '../../../../texts/language.ts';
import type { Texts } from '../../../../texts/texts.tsx';
import { shareText } from '../../../../ui/units.ts';
import type { Drawing, DrawnStep } from './drawing.ts';
import { wayKey } from './graph.ts';

/** Returns the ids of the steps that have figures, and the names of the ways that have some. */
export function figuredOf(insight: Insight | undefined): string[] {
  const { steps = [], ways = [] } = insight ?? {};
  return [...steps.map(({ stepId }) => stepId), ...ways.map(({ from, to }) => wayKey(from, to))];
}

/** How many have gone from a step to another one: as the map shows it, and for those who do not see it. */
export interface WayFigures {
  shown: string;
  said: string;
}

/**
 * Returns the figures of each way of a map that has room for them. Ways between the same steps are counted together.
 * The share is left out if all ways out of the step lead to the same one.
 */
export function figuresOfWays(
  { editor: { map: t } }: Pick<Texts, 'editor'>,
  language: Language,
  { steps, ways }: Pick<Drawing, 'steps' | 'ways'>,
  insight: Insight | undefined,
): (WayFigures | undefined)[] {
  const { format } = new Intl.NumberFormat(language);
  const known = new Map(wayRows(insight?.ways).map(({ way, taken }) => [wayKey(way.from, way.to), taken]));
  return ways.map(({ from, to, hasFigures, isOneOfSeveral }) => {
    const taken = known.get(wayKey(steps[from]?.id ?? '', steps[to]?.id ?? ''));
    if (!hasFigures || !taken) return undefined;
    const count = format(taken.count);
    const isChoice = ways.some((other) => other.from === from && other.to !== to);
    const figures = isChoice ? `${count} (${shareText(taken.share, language)})` : count;
    const shown = isOneOfSeveral ? t.together(figures) : figures;
    return { shown, said: t.takenBy(shown) };
  });
}

/** Returns where the ways of a step lead, with the figures of each way. */
export function leadsOf(
  { leads }: Pick<DrawnStep, 'leads'>,
  figures: readonly (WayFigures | undefined)[],
): string {
  return leads
    .map(({ way, words }) => [words, figures[way]?.said].filter((part) => part !== undefined).join(', '))
    .join('; ');
}
