import type { ReactNode } from 'react';
import { classes } from '../../../../../ui/classes.ts';
import { type Placeholder, placeholdersIn } from './placeholders.ts';
import type { ChipWords } from './template-view.ts';

interface Props {
  label: string;
  text: string;
  lang: string | undefined;
  wordsOf(placeholder: Placeholder): ChipWords;
  onFocus(): void;
}

/** A text with its chips, as its view shows it. The focus makes the view. */
export function StillText({ label, text, lang, wordsOf, onFocus }: Props) {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const placeholder of placeholdersIn(text)) {
    const { words, name, isKnown } = wordsOf(placeholder);
    parts.push(
      text.slice(end, placeholder.from),
      <span
        key={placeholder.from}
        title={name}
        className={classes(
          'inline-block max-w-full truncate rounded-full px-1.5 align-bottom font-medium',
          // Forced colours have no backgrounds, and show it.
          'outline -outline-offset-1 outline-transparent',
          isKnown ? 'bg-accent-soft text-accent' : 'bg-bad-soft text-bad',
        )}
      >
        {words}
      </span>,
    );
    end = placeholder.to;
  }
  return (
    <div
      role="textbox"
      aria-label={label}
      aria-multiline="true"
      tabIndex={0}
      lang={lang}
      dir="auto"
      className="field h-auto min-h-[58px] w-full py-2 leading-5 wrap-anywhere whitespace-pre-wrap"
      onFocus={onFocus}
    >
      {parts}
      {text.slice(end)}
    </div>
  );
}
