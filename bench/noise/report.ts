import { type LoadOutcome, missedTargets, type Phase } from './measure.ts';
import { kinds } from './victim.ts';

const nameWidth = 24;
const cellWidth = 17;

/** Returns the heading of the table and the line of the quiet phase. */
export function headingOf(quiet: Phase): string {
  const titles = kinds.map((kind) => kind.padStart(cellWidth)).join('');
  return [
    'Calls of the victim: p50 / p99 in milliseconds while the attacker makes a load',
    '',
    `${'load'.padEnd(nameWidth)}${titles}${'failed'.padStart(8)}`,
    lineOf('none', quiet),
    '',
  ].join('\n');
}

export function reportOf(outcome: LoadOutcome, quiet: Phase): string {
  const { load, outcomes, recoveredSeconds, memory, fault, failures, processors } = outcome;
  if (fault !== undefined) return `${load.name.padEnd(nameWidth)}GIVEN UP: ${fault}\n`;
  const missed = missedTargets(outcome, quiet);
  const recovered = Number.isNaN(recoveredSeconds)
    ? 'has not recovered'
    : `recovered after ${recoveredSeconds.toFixed(1)} s`;
  const grown = `${memory.process || 'memory'} +${(memory.grownBytes / 1e6).toFixed(0)} MB`;
  return [
    lineOf(load.name, outcome),
    `  ${load.does}`,
    `  attacker got ${countsText(outcomes)}; ${grown}; ${recovered}`,
    `  processors: ${busiestText(processors)}`,
    ...(Object.keys(failures).length > 0 ? [`  failed: ${countsText(failures)}`] : []),
    `  ${missed.length === 0 ? 'met' : `NOT MET: ${missed.join('; ')}`}`,
    '',
  ].join('\n');
}

function lineOf(name: string, { figures, failures }: Phase): string {
  const cells = kinds.map((kind) => {
    const { p50Ms, p99Ms } = figures[kind];
    return `${p50Ms.toFixed(0)} / ${p99Ms.toFixed(0)}`.padStart(cellWidth);
  });
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  return `${name.padEnd(nameWidth)}${cells.join('')}${String(failed).padStart(8)}`;
}

function countsText(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([name, count]) => `${name} × ${count}`);
  return parts.join(', ') || 'nothing';
}

function busiestText(processors: Phase['processors']): string {
  const busiest = Object.entries(processors).toSorted(([, one], [, other]) => other - one);
  return busiest.map(([name, share]) => `${name} ${share.toFixed(2)}`).join(', ');
}
