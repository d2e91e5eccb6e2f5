import { useQuery } from '@tanstack/react-query';
import { useNameOf } from '../../../../data/people.ts';
import { sessionQuery } from '../../../../data/session/session.ts';
import { useTexts } from '../../../../texts/texts.tsx';
import { Button } from '../../../../ui/forms/button.tsx';
import { ConfirmButton } from '../../../../ui/forms/window-button.tsx';
import { Time } from '../../../../ui/time.tsx';
import type { ServerDraft } from './begin.ts';

interface Props {
  theirs: ServerDraft;
  /** Whether the own text is not saved. */
  hasOwn: boolean;
  /** Whether there is an own text. */
  isChanged: boolean;
  isCompared: boolean;
  compare(isCompared: boolean): void;
  keepOwn(): void;
  takeTheirs(): Promise<void>;
}

/** Says who has saved another draft, and since when it is there. Both texts stay until somebody decides. */
export function Conflict(props: Props) {
  const { theirs, hasOwn, isChanged, isCompared, compare, keepOwn, takeTheirs } = props;
  const { editor: t } = useTexts();
  const nameOf = useNameOf();
  const { data: session } = useQuery({ ...sessionQuery, enabled: false });
  const other = theirs.by === session?.id ? undefined : nameOf(theirs.by);
  return (
    <div
      role="alert"
      className="card sticky top-14 z-20 space-y-3 border-warn px-4 py-2.5 wrap-anywhere max-md:top-0 max-md:max-h-[45dvh] max-md:space-y-2 max-md:overflow-y-auto max-md:px-3 max-md:py-2 max-md:text-xs"
    >
      <p>
        {t.conflict(other)} {hasOwn && t.conflictOwn} {t.conflictSince} <Time at={new Date(theirs.at)} />
      </p>
      <div className="flex flex-wrap gap-2">
        <Button isSmall aria-pressed={isCompared} onClick={() => compare(!isCompared)}>
          {t.compareTheirs}
        </Button>
        {isChanged && (
          <ConfirmButton
            isSmall
            confirm={{
              title: t.keepOwn,
              about: t.keepOwnAbout,
              action: t.keepOwn,
              run: async () => keepOwn(),
            }}
          >
            {t.keepOwn}
          </ConfirmButton>
        )}
        <ConfirmButton
          isSmall
          confirm={{ title: t.takeTheirs, about: t.takeTheirsAbout, action: t.takeTheirs, run: takeTheirs }}
        >
          {t.takeTheirs}
        </ConfirmButton>
      </div>
    </div>
  );
}
