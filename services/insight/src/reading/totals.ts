import type { Totals } from '@parley/contracts/insight/v1/insight';
import type { Figures } from './figures.ts';
import { timesOf } from './values/times.ts';
import type { Window } from './window.ts';

export function totalsOf(window: Window, figures: Figures): Totals {
  return {
    ...window,
    created: figures.count('created'),
    started: figures.count('started'),
    completed: figures.count('completed'),
    expired: figures.count('expired'),
    stalled: figures.count('stalled'),
    active: figures.count('active'),
    unknown: figures.count('unknown'),
    timeToComplete: timesOf(figures.countsOf('time', 'elapsed')),
    activeSeconds: timesOf(figures.countsOf('time', 'attended')),
  };
}
