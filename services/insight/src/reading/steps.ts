import type { StepFigures } from '@parley/contracts/insight/v1/insight';
import type { Figures } from './figures.ts';
import type { StepOutline } from '../figures/outline.ts';

export function stepOf({ id, kind, text, since }: StepOutline, figures: Figures): StepFigures {
  return {
    stepId: id,
    kind,
    text,
    since: new Date(since),
    seen: figures.count('step', 'seen', id),
    answered: figures.count('step', 'answered', id),
    skipped: figures.count('step', 'skipped', id),
    dropped: figures.count('step', 'dropped', id),
  };
}
