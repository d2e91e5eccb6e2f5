import { useNameOf } from '../../../../data/people.ts';
import { useTexts } from '../../../../texts/texts.tsx';
import { Button } from '../../../../ui/forms/button.tsx';
import { ConfirmButton } from '../../../../ui/forms/window-button.tsx';
import { Time } from '../../../../ui/time.tsx';
import type { Beginning, ServerDraft } from './begin.ts';
import { DraftNotice } from './draft-notice.tsx';
import type { Saver } from './saver.ts';

interface Props {
  theirs: ServerDraft;
  isCompared: boolean;
  compare(isCompared: boolean): void;
  keepOwn(): void;
  takeTheirs(): Promise<void>;
}

interface NoticesProps extends Pick<Props, 'isCompared' | 'compare'> {
  beginning: Beginning;
  isChanged: boolean;
  saver: Saver | undefined;
  theirs: ServerDraft | undefined;
  /** Forgets the text of this browser, and opens what the service has. */
  reopen(): Promise<void>;
}

/** Says that the text is not published, or that there is another one. */
export function Notices({ beginning, isChanged, saver, theirs, reopen, ...comparison }: NoticesProps) {
  const { draft } = beginning;
  if (!theirs) return draft && isChanged && <DraftNotice draft={draft} />;
  return (
    <Conflict
      {...comparison}
      theirs={theirs}
      keepOwn={() => saver?.overwrite()}
      takeTheirs={async () => {
        saver?.stop();
        await reopen();
      }}
    />
  );
}

/** Says who has saved another draft, and since when it is there. Both texts stay until somebody decides. */
function Conflict({ theirs, isCompared, compare, keepOwn, takeTheirs }: Props) {
  const { editor: t } = useTexts();
  const nameOf = useNameOf();
  return (
    <div role="alert" className="card space-y-3 border-warn px-4 py-2.5">
      <p>
        {t.conflict(nameOf(theirs.by))} <Time at={new Date(theirs.at)} />
      </p>
      <div className="flex flex-wrap gap-2">
        <Button isSmall aria-pressed={isCompared} onClick={() => compare(!isCompared)}>
          {t.compareTheirs}
        </Button>
        <ConfirmButton
          isSmall
          confirm={{ title: t.keepOwn, about: t.keepOwnAbout, action: t.keepOwn, run: async () => keepOwn() }}
        >
          {t.keepOwn}
        </ConfirmButton>
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
