import { getRouteApi, useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { forgetDraft, keepDraft, watchDraft } from './draft.ts';

const route = getRouteApi('/w/$workspaceId/bots/$botId/edit');

interface Options {
  botId: string;
  opened: number;
  text: string;
  /** The version to which the text is compared, and after which it is published. */
  base: number;
  /** The text of `base`. Undefined while it is loaded. */
  original: string | undefined;
  setBase(version: number): void;
  setOpened(version: number): void;
  stay(): void;
}

/**
 * The text of the editor. The browser keeps it while it differs from the version to which it is compared. Without room
 * for that, leaving asks first, and so it does when another tab keeps its text in the place of this one.
 */
export function useText(options: Options) {
  const { botId, opened, text: given, base, original, setBase, setOpened, stay } = options;
  const { id: workspaceId } = useWorkspace();
  const { version } = route.useSearch();
  const navigate = route.useNavigate();
  const [text, setText] = useState(given);
  const [isKept, setKept] = useState(true);
  const latest = useRef(text);
  // The service returns a definition in its own layout.
  const [published, setPublished] = useState<{ version: number; text: string }>();
  const compared = published?.version === base ? published.text : original;
  const isChanged = compared !== undefined && text !== compared;
  useLeaving(isChanged && !isKept);
  // Each render has its own: which text is kept depends on what is open now.
  useEffect(() =>
    watchDraft(workspaceId, botId, (kept) => {
      if (kept === 'none' && isChanged) keep({ opened, base }, undefined);
      else setKept(kept === 'own');
    }),
  );
  return { text, original: compared, isChanged, setText: change, rebase, onPublished };

  function change(next: string): void {
    latest.current = next;
    setText(next);
    keep({ opened, base }, compared);
  }

  function keep(place: { opened: number; base: number }, same: string | undefined): void {
    if (latest.current === same) forgetDraft(workspaceId, botId);
    else setKept(keepDraft(workspaceId, botId, { text: latest.current, ...place }));
  }

  function rebase(next: number): void {
    setBase(next);
    keep({ opened, base: next }, undefined);
  }

  function onPublished(next: number, sent: string): void {
    setPublished({ version: next, text: sent });
    setBase(next);
    setOpened(next);
    keep({ opened: next, base: next }, sent);
    // The address names the version that is open.
    if (version !== undefined) {
      stay();
      void navigate({
        search: (before) => ({ ...before, version: undefined }),
        replace: true,
        resetScroll: false,
      });
    }
  }
}

/** Asks before the editor is left. */
function useLeaving(asks: boolean): void {
  const { editor: t } = useTexts();
  useBlocker({
    // The switch of the preview changes only the query.
    shouldBlockFn: ({ current, next }) => asks && current.pathname !== next.pathname && !confirm(t.leave),
    enableBeforeUnload: asks,
  });
}
