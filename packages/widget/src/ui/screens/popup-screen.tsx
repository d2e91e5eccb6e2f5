import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PopupMode, Talk, Waiting } from '../../model.ts';
import { keepTabInside } from '../dom/focus.ts';
import { Launcher, Teaser } from './launcher.tsx';
import { LanguageContext } from '../language/language-context.ts';
import type { Language } from '../language/language.ts';
import { TalkScreen } from '../conversation/talk-screen.tsx';
import { smallScreen } from '../styles/small-screen.ts';

export interface PopupView {
  waiting: Waiting | undefined;
  mode: PopupMode;
  /** The customer has opened or focused the panel. Only then may it cover a small page. */
  isEngaged: boolean;
  /** The panel has been open: it stays mounted, with its drafts. */
  hasOpened: boolean;
}

interface PopupActions {
  onToggle(): void;
  onDismiss(): void;
  onClose(): void;
  onEngage(): void;
}

export function PopupScreen(
  props: PopupActions & {
    view: PopupView;
    language: Language;
    side: string;
    talkFor(waiting: Waiting): Talk;
  },
) {
  const { view, language, side, talkFor, onToggle, onDismiss } = props;
  const { waiting, mode, isEngaged, hasOpened } = view;
  const isOpen = mode === 'open';
  const { say } = language;
  const botName = waiting?.botName || say('bot');
  const isResumed = waiting?.status === 'InProgress';
  const words = isResumed ? say('resumableText') : waiting?.teaser;
  return (
    <LanguageContext.Provider value={language}>
      <section
        class={`root ${side}`}
        dir={language.direction}
        lang={language.ownTag}
        aria-label={say('conversation')}
      >
        <p class="hidden" role="status">
          {words !== undefined &&
            (isOpen || mode === 'teaser') &&
            !isEngaged &&
            `${isResumed ? botName : say('newMessage', { bot: botName })}: ${words}`}
        </p>
        {waiting !== undefined && (
          <>
            {mode === 'teaser' && (
              <Teaser
                botName={botName}
                text={words ?? ''}
                action={isResumed ? say('resume') : undefined}
                onOpen={onToggle}
                onDismiss={onDismiss}
              />
            )}
            <Launcher
              botName={botName}
              isOpen={isOpen}
              count={isOpen || mode === 'quiet' ? 0 : waiting.more + 1}
              onToggle={onToggle}
            />
            {hasOpened && (
              <Panel key={waiting.interactionId} {...props} waiting={waiting} talk={talkFor(waiting)} />
            )}
          </>
        )}
      </section>
    </LanguageContext.Provider>
  );
}

function Panel(props: PopupActions & { view: PopupView; waiting: Waiting; talk: Talk }) {
  const { view, waiting, talk, onClose, onEngage } = props;
  const panel = useRef<HTMLDivElement>(null);
  const isSmall = useSmallScreen();
  const isOpen = view.mode === 'open';
  const coversAll = isSmall && view.isEngaged;
  useVisibleArea(panel, coversAll && isOpen);
  const onKeyDown = (event: KeyboardEvent) => {
    // Ignores keys of an input method: Escape cancels the composition. Safari marks the last one by its code only.
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === 'Escape') onClose();
    else if (coversAll && panel.current !== null) keepTabInside(event, panel.current);
  };
  // After the click: a redraw during it would reset a radio button.
  const engage = () => setTimeout(onEngage);
  return (
    <div
      class={coversAll ? 'panel covers' : 'panel'}
      ref={panel}
      hidden={!isOpen}
      role="dialog"
      aria-modal={coversAll ? true : undefined}
      aria-labelledby="title"
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onClick={engage}
      onKeyUp={engage}
    >
      <TalkScreen
        talk={talk}
        panel={panel}
        titleId="title"
        isShown={isOpen}
        teaser={waiting.teaser}
        onClose={onClose}
      />
    </div>
  );
}

/** Returns whether the window has no room for a panel beside the page: a phone, or a zoomed page. */
function useSmallScreen(): boolean {
  const [query] = useState(() => matchMedia(smallScreen));
  const [isSmall, setSmall] = useState(query.matches);
  useEffect(() => {
    const look = () => setSmall(query.matches);
    query.addEventListener('change', look);
    return () => query.removeEventListener('change', look);
  }, [query]);
  return isSmall;
}

/** Keeps a panel that covers the page above a phone's keyboard, which does not change the size of the page. */
function useVisibleArea(panel: RefObject<HTMLElement | null>, isActive: boolean): void {
  useLayoutEffect(() => {
    const element = panel.current;
    const area = window.visualViewport;
    if (!isActive || element === null || area === null) return undefined;
    const fit = () => {
      element.style.setProperty('--area-top', `${area.offsetTop}px`);
      element.style.setProperty('--area-height', `${area.height}px`);
    };
    fit();
    area.addEventListener('resize', fit);
    area.addEventListener('scroll', fit);
    return () => {
      area.removeEventListener('resize', fit);
      area.removeEventListener('scroll', fit);
      element.style.removeProperty('--area-top');
      element.style.removeProperty('--area-height');
    };
  }, [panel, isActive]);
}
