import { placeholderFault, type TranslationRow } from '@parley/bot/translations/table';
import { memo, useId } from 'react';
import { useTexts } from '../../../../texts/texts.tsx';
import { Badge } from '../../../../ui/badge.tsx';
import { placeholderWords } from './translation-files.ts';

interface Props {
  row: TranslationRow;
  /** Names the text. */
  words: string;
  own: string;
  language: string;
  write(key: string, wording: string): void;
}

const tones = { done: 'good', missing: 'quiet', stale: 'warn', faulty: 'bad' } as const;

/** A text, and its translation. */
export const TranslationField = memo(Field, (one, other) => {
  const [before, after] = [one, other].map(({ row, words, language }) =>
    JSON.stringify([row.key, words, row.source, language, row.wordings[language]]),
  );
  return before === after;
});

function Field({ row, words, own, language, write }: Props) {
  const { translations: t } = useTexts();
  const id = useId();
  const { key, source, wordings, isLabel } = row;
  const { text = '', state = 'missing' } = wordings[language] ?? {};
  const fault = state === 'faulty' ? placeholderFault(source, text) : undefined;
  return (
    <li data-step={row.path[1]} data-key={key} className="grid gap-x-4 gap-y-1 py-3 md:grid-cols-2">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-quiet">
          <label htmlFor={id} className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
            <span className="min-w-0 font-medium break-words">{words}</span>
            <Badge tone={tones[state]}>{t.states[state]}</Badge>
          </label>
          <code className="font-mono break-all">{key}</code>
        </div>
        <p lang={own} dir="auto" className="mt-1 break-words whitespace-pre-wrap">
          {source}
        </p>
      </div>
      <div className="min-w-0">
        <textarea
          id={id}
          lang={language}
          dir="auto"
          rows={isLabel ? 1 : Math.min(6, source.split('\n').length + 1)}
          value={text}
          className="field h-auto w-full py-2"
          aria-invalid={fault !== undefined}
          aria-describedby={fault && `${id}-fault`}
          onChange={({ target }) => write(key, target.value)}
        />
        {fault && (
          <p id={`${id}-fault`} className="mt-1 text-xs text-bad">
            {placeholderWords(fault, t)}
          </p>
        )}
      </div>
    </li>
  );
}
