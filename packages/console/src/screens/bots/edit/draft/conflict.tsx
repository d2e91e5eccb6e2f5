import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useNameOf } from '../../../../data/people.ts';
import { sessionQuery } from '../../../../data/session/session.ts';
import { useTexts } from '../../../../texts/texts.tsx';
import { Button } from '../../../../ui/forms/button.tsx';
import { ConfirmButton } from '../../../../ui/forms/window-button.tsx';
import { part } from '../../../../ui/part.tsx';
import { Time } from '../../../../ui/time.tsx';
import type { ServerDraft } from './begin.ts';

const BothTexts = part(() => import('./both-texts.tsx'), 'BothTexts');

interface Props {
  theirs: ServerDraft;
  /** Whether the own text is not saved. */
  hasOwn: boolean;
  /** Whether there is an own text. */
  isChanged: boolean;
  text: string;
  /** The version to which both texts are compared. */
  base: number;
  /** The text of `base`. Undefined while it is loaded. */
  original: string | undefined;
  /** Shows the differences in the source. */
  showSource(): void;
  keepOwn(): void;
  takeTheirs(): Promise<void>;
}

/** Says who has saved another draft, and since when it is there. Both texts stay until somebody decides. */
export function Conflict(props: Props) {
  const { theirs, hasOwn, text, base, original, showSource } = props;
  const { editor: t } = useTexts();
  const [isShown, setShown] = useState(false);
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
        <Button isSmall onClick={() => setShown(true)}>
          {t.showBoth}
        </Button>
        <Choices {...props} />
      </div>
      {isShown && (
        <Suspense>
          <BothTexts {...{ text, base, original, theirs, other }} close={() => setShown(false)}>
            <Button
              isSmall
              onClick={() => {
                setShown(false);
                showSource();
              }}
            >
              {t.showSource}
            </Button>
            <Choices {...props} />
          </BothTexts>
        </Suspense>
      )}
    </div>
  );
}

/** Which text becomes the draft. */
function Choices({ isChanged, keepOwn, takeTheirs }: Pick<Props, 'isChanged' | 'keepOwn' | 'takeTheirs'>) {
  const { editor: t } = useTexts();
  return (
    <>
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
    </>
  );
}
