import type { Customer } from '../customer/customer.ts';
import type { Events } from '../page/events.ts';
import type { TalkPool } from '../conversation/talk-pool.ts';
import type { TabStorage } from '../page/tab-storage.ts';
import { localeNow } from '../page/locale-now.ts';
import type { Branding, Popup, Talk, TalkState, Waiting } from '../model.ts';
import type * as ui from '../popup.ts';
import type { InitOptions, WidgetEvents } from './init-options.ts';
import { isEnded } from '../conversation/talk-state.ts';

/** Loads conversation and screens (`popup.ts`); called when there is something to show. */
export type LoadUi = () => Promise<Ui>;

type Ui = typeof ui;

export interface PanelOptions extends Pick<InitOptions, 'container' | 'locale' | 'strings' | 'theme'> {
  customer: Customer;
  storage: TabStorage;
  events: Events<WidgetEvents>;
  loadUi: LoadUi;
  /** The customer or the page has closed the panel. */
  onClosed: () => void;
  onError: (error: unknown) => void;
}

/** The popup of a visit with its conversations. It emits `open` and `close`, and stores that in the tab. */
export interface Panel {
  /** Loads and mounts the popup once; the next call retries a failure. Rejects after the end of the customer. */
  mounted(): Promise<Popup>;
  /** Undefined before it is mounted. */
  popup(): Popup | undefined;
  /** Shows the branding of the newest session, and restores what the page has removed. */
  refresh(): Promise<void>;
  opened(): string | undefined;
  /** The state of its conversation, open or not. */
  talk(): TalkState | undefined;
  /** Hides the popup and releases its conversation. */
  clear(): void;
  end(): void;
}

interface PanelState {
  options: PanelOptions;
  mounting?: Promise<Popup> | undefined;
  popup?: Popup;
  branding?: Branding | undefined;
  talks?: TalkPool;
  opened?: string | undefined;
}

/** Loads nothing before `mounted`. */
export function createPanel(options: PanelOptions): Panel {
  const panel: PanelState = { options };
  return {
    mounted: () =>
      (panel.mounting ??= mount(panel).catch((error: unknown) => {
        panel.mounting = undefined;
        throw error;
      })),
    popup: () => panel.popup,
    refresh: async () => {
      if (!panel.popup) return;
      panel.popup.refresh();
      await readBranding(panel);
      panel.popup.refresh();
    },
    opened: () => panel.opened,
    talk: () => panel.talks?.state(),
    clear: () => {
      panel.talks?.release();
      panel.popup?.hide();
    },
    end: () => {
      panel.popup?.unmount();
      turnTo(panel);
    },
  };
}

/** Sets the interaction whose panel is open; undefined for none. */
function turnTo(panel: PanelState, interactionId?: string): void {
  const former = panel.opened;
  panel.opened = interactionId;
  if (former) panel.options.events.emit('close', { interactionId: former });
}

async function readBranding(panel: PanelState): Promise<void> {
  const { session, signal } = panel.options.customer;
  panel.branding = await session.call(async ({ branding }) => branding, signal);
}

async function mount(panel: PanelState): Promise<Popup> {
  const { options } = panel;
  const { storage, events, container } = options;
  const ui = await options.loadUi();
  await ui.bodyReady();
  await readBranding(panel);
  const talks = (panel.talks = ui.createTalkPool());
  const popup = (panel.popup = ui.mountPopup({
    // Beside the body, so that it survives a replaced body.
    container: container ?? document.documentElement,
    get locale() {
      return localeNow(options);
    },
    strings: options.strings,
    theme: options.theme ?? {},
    get branding() {
      return panel.branding;
    },
    talkFor: (waiting) =>
      talks.turnTo(waiting.interactionId, (changed) => newTalk(options, waiting, ui, changed)),
    onOpen: ({ interactionId }) => {
      turnTo(panel, interactionId);
      storage.setOpened(interactionId);
      events.emit('open', { interactionId });
    },
    onClose: (waiting) => {
      storage.setOpened(undefined);
      // The customer can read an ended conversation again.
      if (isEnded(talks.state()?.stage)) popup.show(waiting, 'quiet');
      else storage.snooze(waiting.interactionId);
      turnTo(panel);
      options.onClosed();
    },
    onDismiss: ({ interactionId }) => storage.snooze(interactionId),
  }));
  return popup;
}

function newTalk(options: PanelOptions, waiting: Waiting, ui: Ui, changed: () => void): Talk {
  const { interactionId } = waiting;
  return ui.createTalk({
    ...options.customer,
    ...waiting,
    get locale() {
      return localeNow(options);
    },
    resumes: true,
    onChange: (state, former) => {
      ui.emitEvents(options.events, interactionId, state, former);
      changed();
    },
    onError: options.onError,
  });
}
