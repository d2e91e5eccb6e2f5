import { translationTable } from '@parley/bot/translations/table';
import { type ReactNode, useMemo } from 'react';
import { useLanguage, useTexts } from '../../../../texts/texts.tsx';
import { Modal } from '../../../../ui/forms/dialog.tsx';
import { Section, SkeletonLines } from '../../../../ui/states.tsx';
import { Changes } from '../../difference.tsx';
import type { Mark } from '../check.ts';
import { stepOf } from '../steps/faults/advice.ts';
import { MarkList } from '../steps/faults/mark-list.tsx';
import { languageName } from '../steps/fields/languages.ts';

interface Props {
  /** The text of the version to which it is compared. Undefined while it is loaded. */
  original: string | undefined;
  base: number;
  /** What would be published. Undefined while it has faults. */
  definition: Record<string, unknown> | undefined;
  /** The text that is checked. */
  text: string;
  marks: Mark[];
  close(): void;
  /** Shows a step in the list of steps. */
  openStep(index: number): void;
  /** The proof, and publishing with a note. */
  children: ReactNode;
}

/** All that somebody needs to know before publishing: what changes, what may be wrong, and who is affected. */
export function PublishDialog(props: Props) {
  const { original, base, definition, text, marks, close, openStep, children } = props;
  const { editor: t, common } = useTexts();
  const warnings = marks.filter(({ severity }) => severity === 'warning');
  const before = useMemo(
    () => (original === undefined ? undefined : (JSON.parse(original) as unknown)),
    [original],
  );
  return (
    <Modal title={t.checkAndPublish} isWide close={close}>
      <div className="space-y-4">
        <Section title={t.whatChanges(base)}>
          {/* A list that scrolls must be reachable by keyboard. */}
          <div
            role="region"
            tabIndex={0}
            aria-label={t.whatChanges(base)}
            className="max-h-80 overflow-y-auto print:max-h-none"
          >
            {!definition && <p className="p-4 text-quiet">{t.hasFaults}</p>}
            {definition && before === undefined && <SkeletonLines label={common.loading} />}
            {definition && before !== undefined && <Changes before={before} after={definition} />}
          </div>
        </Section>
        {warnings.length > 0 && (
          <Section title={t.warnings(warnings.length)}>
            <MarkList
              label={t.warnings(warnings.length)}
              className="p-2"
              {...{ text }}
              marks={warnings}
              goTo={(mark) => {
                const step = stepOf(mark);
                if (step !== undefined) openStep(step);
              }}
            />
          </Section>
        )}
        {definition && <OpenTranslations before={before} definition={definition} />}
        {children}
      </div>
    </Modal>
  );
}

interface TranslationsProps {
  before: unknown;
  definition: Record<string, unknown>;
}

/** The languages whose texts are missing, stale or faulty. A missing one falls back to the bot's language. */
function OpenTranslations({ before, definition }: TranslationsProps) {
  const { translations: t } = useTexts();
  const { language: reader } = useLanguage();
  const { languages, rows, progress } = useMemo(
    () => translationTable(definition, before, []),
    [definition, before],
  );
  const open = languages.filter((one) => (progress[one]?.done ?? 0) < rows.length);
  if (open.length === 0) return null;
  return (
    <Section title={t.progress}>
      <ul className="list-disc space-y-1 py-3 pr-4 pl-8">
        {open.map((one) => (
          <li key={one}>{t.done(languageName(one, reader), rows.length, progress[one] ?? {})}</li>
        ))}
      </ul>
    </Section>
  );
}
