import { getRouteApi, useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { definitionText } from './definition.ts';
import type { Beginning, ServerDraft } from './draft/begin.ts';
import { forgetDraft, keepDraft, watchDraft } from './draft/draft.ts';
import type { Saver } from './draft/saver.ts';
import { useSaver } from './draft/use-saver.ts';
import { TextDocument } from './text-document.ts';

const route = getRouteApi('/w/$workspaceId/bots/$botId/edit');

interface Options {
  botId: string;
  opened: number;
  text: string;
  beginning: Beginning;
  /** The version to which the text is compared, and after which it is published. */
  base: number;
  /** The text of `base`. Undefined while it is loaded. */
  original: string | undefined;
  setBase(version: number): void;
  setOpened(version: number): void;
  stay(): void;
}

/**
 * The text of the editor, which all views change in its document. While it differs from the version to which it is
 * compared, the browser keeps it, and it is saved as the draft of the bot. If neither has it, leaving asks first.
 */
export function useText(options: Options) {
  const { botId, opened, text: given, beginning, base, original, setBase, setOpened, stay } = options;
  const { id: workspaceId } = useWorkspace();
  const { version } = route.useSearch();
  const navigate = route.useNavigate();
  const [text, setText] = useState(given);
  const [isKept, setKept] = useState(true);
  const latest = useRef(text);
  const document = useTextDocument(given, change);
  const { follow, isFollowing } = useFollowing(given, beginning, document, setBase);
  // The service returns a definition in its own layout.
  const [published, setPublished] = useState<{ version: number; text: string }>();
  const compared = published?.version === base ? published.text : original;
  const isChanged = compared !== undefined && text !== compared;
  const { saver, saving } = useSaver(botId, beginning, {
    onSending: () => keep({ opened, base }, compared),
    onSaved: (saved) => keep({ opened, base }, compared, saved === latest.current),
    onFollow: (theirs) => follow(latest.current, theirs),
  });
  useLeaving(isChanged && !isKept && saving.kind !== 'saved');
  useSaving(saver, beginning, { text, base, compared });
  useOtherTabs(workspaceId, botId, (kept) => {
    if (kept === 'none' && isChanged) keep({ opened, base }, undefined);
    else setKept(kept === 'own');
  });
  return { text, document, original: compared, isChanged, saver, saving, rebase, onPublished };

  function change(next: string): void {
    latest.current = next;
    setText(next);
    if (!isFollowing.current) keep({ opened, base }, compared);
  }

  function keep(place: { opened: number; base: number }, same: string | undefined, isSaved = false): void {
    const { tag, sent, hasDraft = false } = saver ?? {};
    // The draft of an earlier text would come back with the next visit, until the service has none.
    if (latest.current === same && !hasDraft) return forgetDraft(workspaceId, botId);
    setKept(keepDraft(workspaceId, botId, { text: latest.current, ...place, tag, sent, isSaved }));
  }

  function rebase(next: number): void {
    setBase(next);
    keep({ opened, base: next }, undefined);
  }

  function onPublished(next: number, sent: string): void {
    setPublished({ version: next, text: sent });
    setBase(next);
    setOpened(next);
    saver?.published(sent);
    keep({ opened: next, base: next }, sent);
    if (version === undefined) return;
    // The address names the version that is open.
    stay();
    const search = (before: object) => ({ ...before, version: undefined });
    void navigate({ search, replace: true, resetScroll: false });
  }
}

/** The document that begins with a text. `onChange` may be another function each time. */
function useTextDocument(given: string, onChange: (next: string) => void): TextDocument {
  const latest = useRef(onChange);
  latest.current = onChange;
  const [document] = useState(() => new TextDocument(given, (next) => latest.current(next)));
  return document;
}

/** Returns how the editor shows the text of somebody else while nothing is typed in it. */
function useFollowing(
  given: string,
  { draft, isSaved }: Beginning,
  document: TextDocument,
  setBase: (version: number) => void,
) {
  // What this browser has kept and nobody has saved was typed before.
  const shown = useRef(draft && !isSaved ? undefined : given);
  const isFollowing = useRef(false);
  const follow = (text: string, { definition, base }: ServerDraft): string | undefined => {
    if (text !== shown.current) return undefined;
    const next = definitionText(definition);
    shown.current = next;
    isFollowing.current = true;
    document.follow(next);
    isFollowing.current = false;
    setBase(base);
    return next;
  };
  return { follow, isFollowing };
}

/** Calls `onChange` when another tab has kept or forgotten a text of the bot. */
function useOtherTabs(...[workspaceId, botId, onChange]: Parameters<typeof watchDraft>): void {
  // Each render has its own: which text is kept depends on what is open now.
  useEffect(() => watchDraft(workspaceId, botId, onChange));
}

/** Saves the text when it differs from what was saved last, and what this browser has kept from before. */
function useSaving(
  saver: Saver | undefined,
  { draft, isSaved }: Beginning,
  { text, base, compared }: { text: string; base: number; compared: string | undefined },
): void {
  const last = useRef(draft && !isSaved ? undefined : { text, base });
  useEffect(() => {
    if (compared === undefined || (last.current?.text === text && last.current.base === base)) return;
    last.current = { text, base };
    saver?.change({ text, base, isLive: text === compared });
  }, [saver, text, base, compared]);
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
