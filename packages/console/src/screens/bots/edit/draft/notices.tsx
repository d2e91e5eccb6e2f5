import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { versionQuery } from '../../../../data/bots.ts';
import { useWorkspace } from '../../../../data/workspace.tsx';
import { useTexts } from '../../../../texts/texts.tsx';
import { Button } from '../../../../ui/forms/button.tsx';
import { ConfirmButton } from '../../../../ui/forms/window-button.tsx';
import { type Beginning, definitionIn, sameJson } from './begin.ts';
import { Conflict } from './conflict.tsx';
import { DraftNotice } from './draft-notice.tsx';
import type { Saver } from './saver.ts';
import type { Saving } from './saving.ts';

interface Props {
  botId: string;
  beginning: Beginning;
  saver: Saver | undefined;
  saving: Saving;
  /** The text of the editor. */
  text: string;
  /** The version after which it is published. */
  base: number;
  /** The live version. `base` while the window of publishing says that there is another one. */
  live: number;
  /** Whether the text differs from that version. */
  isChanged: boolean;
  /** The text of `base`. Undefined while it is loaded. */
  original: string | undefined;
  /** Shows the differences to the text of a conflict in the source. */
  showSource(): void;
  /** Shows what changes after the live version. */
  review(): void;
  /** Forgets the text of this browser, and opens what the service has. */
  reopen(): Promise<void>;
}

/** Says that the text is not published, or what others have done meanwhile. */
export function Notices(props: Props) {
  const { beginning, isChanged, saver, saving, text, base, original, live, reopen, showSource } = props;
  const { draft } = beginning;
  if (saving.kind === 'conflict') {
    const { theirs, hasOwn } = saving;
    return (
      <Conflict
        {...{ theirs, hasOwn, isChanged, text, base, original, showSource }}
        keepOwn={() => saver?.overwrite({ text, base, isLive: !isChanged })}
        takeTheirs={async () => {
          saver?.stop();
          await reopen();
        }}
      />
    );
  }
  if (saving.kind === 'gone' || live > base) return <Overtaken {...props} />;
  return draft && isChanged && <DraftNotice draft={draft} />;
}

/** Says that somebody else has published another version, or has removed the draft. */
function Overtaken({ botId, saver, saving, text, base, live, isChanged, review, reopen }: Props) {
  const { editor: t } = useTexts();
  const isGone = saving.kind === 'gone';
  const isNewer = live > base;
  useSameAsLive(isGone && isNewer ? { botId, live, text } : undefined, reopen);
  return (
    <div
      role="alert"
      className="card sticky top-14 z-20 space-y-3 border-warn px-4 py-2.5 wrap-anywhere max-md:top-0 max-md:max-h-[45dvh] max-md:space-y-2 max-md:overflow-y-auto max-md:px-3 max-md:py-2 max-md:text-xs"
    >
      <p>{isNewer ? t.overtaken(live) : t.gone}</p>
      <div className="flex flex-wrap gap-2">
        {isNewer && (
          <Button isSmall onClick={review}>
            {t.compareWith(live)}
          </Button>
        )}
        {isGone && isChanged && (
          <Button isSmall onClick={() => saver?.change({ text, base, isLive: false })}>
            {t.saveAgain}
          </Button>
        )}
        {isGone && (
          <ConfirmButton
            isSmall
            confirm={{
              title: t.openLive(live),
              about: t.takeTheirsAbout,
              action: t.openLive(live),
              run: reopen,
            }}
          >
            {t.openLive(live)}
          </ConfirmButton>
        )}
      </div>
    </div>
  );
}

/** Opens the live version if it is the text: somebody else has published it, and nothing is left to decide. */
function useSameAsLive(
  wanted: { botId: string; live: number; text: string } | undefined,
  reopen: () => Promise<void>,
): void {
  const workspace = useWorkspace();
  const { botId = '', live = 0, text = '' } = wanted ?? {};
  const { data } = useQuery({ ...versionQuery(workspace, botId, live), enabled: wanted !== undefined });
  const isSame = data !== undefined && sameJson(definitionIn(text), data.definition);
  useEffect(() => {
    if (isSame) void reopen();
    // `reopen` is another function each time.
  }, [isSame]);
}
