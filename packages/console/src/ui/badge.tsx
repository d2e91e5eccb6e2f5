import type { ReactNode } from 'react';
import { classes } from './classes.ts';

export type Tone = 'good' | 'bad' | 'warn' | 'accent' | 'quiet';

const tones: Record<Tone, string> = {
  good: 'bg-good-soft text-good',
  bad: 'bg-bad-soft text-bad',
  warn: 'bg-warn-soft text-warn',
  accent: 'bg-accent-soft text-accent',
  quiet: 'bg-raised text-quiet',
};

// A sign beside the word, so that no meaning is in the colour alone.
const signs: Record<Tone, string> = { good: '✓', bad: '✕', warn: '!', accent: '●', quiet: '○' };

export function Badge({ tone = 'quiet', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={classes(
        'inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap',
        tones[tone],
      )}
    >
      <span aria-hidden="true">{signs[tone]}</span> {children}
    </span>
  );
}
