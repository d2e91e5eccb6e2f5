import type { BodyIsThere } from './body.ts';
import type { Customer } from './customer.ts';
import type { Events } from './events.ts';
import type { HeldTalks, HoldTalks } from './held-talks.ts';
import type { Kept } from './kept.ts';
import { localeNow } from './locale-now.ts';
import type { LookUp } from './look-up.ts';
import type { MountPopup, Popup, Talk, TalkState, Waiting } from './model.ts';
import type { PopupModeOf } from './popup-mode.ts';
import type { InitOptions, WidgetEvents } from './sdk.ts';
import type { CreateTalk } from './talk.ts';
import { isEnded } from './talk-state.ts';
import type { Tell } from './tell.ts';

/** Fetches talk and screens (`popup.ts`); called when there is something to show. */
export type LoadUi = () => Promise<Ui>;

interface Ui {
  mountPopup: MountPopup;
  bodyIsThere: BodyIsThere;
  createTalk: CreateTalk;
  holdTalks: HoldTalks;
  lookUp: LookUp;
  popupModeOf: PopupModeOf;
  tell: Tell;
}

/** What a panel is made of. */
export interface PanelOptions extends Pick<InitOptions, 'container' | 'locale' | 'strings' | 'theme'> {
  customer: Customer;
  kept: Kept;
  events: Events<WidgetEvents>;
  loadUi: LoadUi;
  /** The panel has gone, by the customer or the page. */
  onClosed: () => void;
  onError: (error: unknown) => void;
}

/** The popup of a visit with the talks in it. It tells the page when it opens and closes, and the tab keeps that. */
export interface Panel {
  /** Loads and mounts it the first time; where that fails the next call tries again. Rejects once the customer has gone. */
  mounted(): Promise<Popup>;
  /** Undefined before it is mounted. */
  popup(): Popup | undefined;
  /** The interaction whose panel is open. */
  opened(): string | undefined;
  /** Of the talk that it has, open or not; undefined while there is none. */
  talk(): TalkState | undefined;
  /** Takes away what it shows. */
  clear(): void;
  end(): void;
}

/** Nothing is loaded before `mounted`. */
export function createPanel(options: PanelOptions): Panel {
  const { customer, kept, events, loadUi, container, theme } = options;
  const { session, signal, page } = customer;
  let mounting: Promise<Popup> | undefined;
  let popup: Popup | undefined;
  let talks: HeldTalks | undefined;
  let opened: string | undefined;

  /** The panel is of another interaction from now on, or of none. */
  const turnTo = (interactionId?: string): void => {
    const former = opened;
    opened = interactionId;
    if (former) events.emit('close', { interactionId: former });
  };

  const newTalk = ({ interactionId, botName }: Waiting, ui: Ui, changed: () => void): Talk =>
    ui.createTalk({
      session,
      signal,
      page,
      interactionId,
      botName,
      get locale() {
        return localeNow(options);
      },
      resumes: true,
      onChange: (state, former) => {
        ui.tell(events, interactionId, state, former);
        changed();
      },
      onError: options.onError,
    });

  const mount = async (): Promise<Popup> => {
    const ui = await loadUi();
    await ui.bodyIsThere();
    const branding = await session.call(async (opened) => opened.branding, signal);
    const held = (talks = ui.holdTalks());
    popup = ui.mountPopup({
      // Beside the body: one that is moved or replaced takes nothing along.
      container: container ?? document.documentElement,
      get locale() {
        return localeNow(options);
      },
      strings: options.strings,
      theme: theme ?? {},
      branding,
      talkFor: (waiting) => held.turnTo(waiting.interactionId, (changed) => newTalk(waiting, ui, changed)),
      onOpen: ({ interactionId }) => {
        turnTo(interactionId);
        kept.setOpened(interactionId);
        events.emit('open', { interactionId });
      },
      onClose: (waiting) => {
        kept.setOpened(undefined);
        // What has ended can be read again.
        if (isEnded(held.state()?.stage)) popup?.show(waiting, 'quiet');
        else kept.snooze(waiting.interactionId);
        turnTo();
        options.onClosed();
      },
      onDismiss: ({ interactionId }) => kept.snooze(interactionId),
    });
    return popup;
  };

  return {
    mounted: () =>
      (mounting ??= mount().catch((error: unknown) => {
        mounting = undefined;
        throw error;
      })),
    popup: () => popup,
    opened: () => opened,
    talk: () => talks?.state(),
    clear: () => {
      talks?.letGo();
      popup?.hide();
    },
    end: () => {
      popup?.unmount();
      turnTo();
    },
  };
}
