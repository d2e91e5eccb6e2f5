import { classes } from './classes.ts';

interface Part {
  value: number;
  tone: 'accent' | 'good' | 'bad' | 'quiet';
}

const fills: Record<Part['tone'], string> = {
  accent: 'bg-accent',
  good: 'bg-good',
  bad: 'bg-bad',
  quiet: 'bg-strong-line',
};

/** A bar of parts, as long as its share of `most`. The number beside it has the value as text. */
export function Bar({ parts, most }: { parts: Part[]; most: number }) {
  return (
    <div aria-hidden="true" className="mt-1 flex h-2.5 gap-px overflow-hidden rounded bg-raised">
      {parts.map(({ value, tone }, index) => (
        <div
          key={index}
          className={classes('h-full', fills[tone])}
          style={{ width: `${(value / most) * 100}%` }}
        />
      ))}
    </div>
  );
}
