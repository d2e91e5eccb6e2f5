import { type ReactNode, useMemo } from 'react';
import { useTexts } from '../../../../texts/texts.tsx';
import { Modal } from '../../../../ui/forms/dialog.tsx';
import { Section, SkeletonLines } from '../../../../ui/states.tsx';
import { Changes } from '../../difference.tsx';
import { definitionIn, type ServerDraft } from './begin.ts';

interface Props {
  text: string;
  /** The version to which both texts are compared. */
  base: number;
  /** The text of `base`. Undefined while it is loaded. */
  original: string | undefined;
  theirs: ServerDraft;
  /** Who has saved the other text. Undefined: the same person, elsewhere. */
  other: string | undefined;
  close(): void;
  /** What can be done about it. */
  children: ReactNode;
}

/** The changes of two texts of one bot, in words. */
export function BothTexts({ text, base, original, theirs, other, close, children }: Props) {
  const { editor: t } = useTexts();
  const own = useMemo(() => definitionIn(text), [text]);
  const before = useMemo(() => original && definitionIn(original), [original]);
  return (
    <Modal title={t.bothTexts} about={t.bothTextsAbout(base)} isWide close={close}>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Side title={t.onlyOwn} before={before} after={own} other={theirs.definition} />
        <Side title={t.onlyTheirs(other)} before={before} after={theirs.definition} other={own} />
      </div>
      <div className="mt-4 flex flex-wrap justify-end gap-2">{children}</div>
    </Modal>
  );
}

interface SideProps {
  title: string;
  /** Undefined while it is loaded. */
  before: unknown;
  /** Undefined: it cannot be read. */
  after: unknown;
  other: unknown;
}

function Side({ title, before, after, other }: SideProps) {
  const { editor: t, common } = useTexts();
  return (
    <Section title={title}>
      {/* A list that scrolls must be reachable by keyboard. */}
      <div role="region" tabIndex={0} aria-label={title} className="max-h-[45dvh] overflow-y-auto">
        {after === undefined ? (
          <p className="p-4 text-quiet">{t.bothTextsUnreadable}</p>
        ) : before === undefined ? (
          <SkeletonLines label={common.loading} />
        ) : (
          <Changes before={before} after={after} other={other} />
        )}
      </div>
    </Section>
  );
}
