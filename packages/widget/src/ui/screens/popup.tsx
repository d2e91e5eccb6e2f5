import { render } from 'preact';
import type { MountPopup, PopupMode, PopupOptions, Waiting } from '../../model.ts';
import { Branded } from '../look/brand.tsx';
import { focusFirst } from '../dom/focus.ts';
import { type WidgetLanguage, languageOf } from '../language/language.ts';
import { PopupScreen, type PopupView } from './popup-screen.tsx';
import { openShadow } from '../dom/shadow.ts';
import { baseCss } from '../styles/base.ts';
import { fieldsCss } from '../styles/fields.ts';
import { panelCss } from '../styles/panel.ts';
import { popupCss } from '../styles/popup.ts';
import { themeSheet } from '../look/theme.ts';
import { transcriptCss } from '../styles/transcript.ts';

interface PopupState {
  options: PopupOptions;
  host: HTMLElement;
  root: ShadowRoot;
  locale: string;
  /** The workspace's accent in the style sheet. */
  accent: string | null | undefined;
  language: WidgetLanguage;
  view: PopupView;
  /** The element that had the focus before the panel took it. */
  opener: HTMLElement | undefined;
}

/**
 * Adds the widget to a page: a launcher, a teaser and a panel in its lower corner. On a small page the panel covers
 * all.
 */
export const mountPopup: MountPopup = (options) => {
  const { host, root } = openShadow(options, [baseCss, panelCss, transcriptCss, fieldsCss, popupCss]);
  const { locale } = options;
  const popup: PopupState = {
    options,
    host,
    root,
    locale,
    accent: options.branding?.accentColor,
    language: languageOf(locale, options.strings),
    view: { waiting: undefined, mode: 'badge', isEngaged: false, hasOpened: false },
    opener: undefined,
  };
  draw(popup, {});
  return {
    refresh: () => draw(popup, {}),
    show: (waiting, mode) => show(popup, waiting, mode),
    open: () => open(popup),
    close: () => close(popup),
    hide() {
      const wasFocused = hasFocus(popup);
      draw(popup, { waiting: undefined, mode: 'badge', isEngaged: false, hasOpened: false });
      if (wasFocused && popup.opener?.isConnected === true) popup.opener.focus({ preventScroll: true });
    },
    unmount() {
      popup.view = { ...popup.view, waiting: undefined, mode: 'badge' };
      render(null, root);
      host.remove();
    },
  };
};

function draw(popup: PopupState, change: Partial<PopupView>): void {
  const { options, host } = popup;
  popup.view = { ...popup.view, ...change };
  // A page that recreates its content removes the host with it.
  if (!host.isConnected) {
    (options.container.isConnected ? options.container : document.documentElement).append(host);
  }
  const { theme, branding } = options;
  if (popup.accent !== branding?.accentColor) {
    popup.accent = branding?.accentColor;
    popup.root.adoptedStyleSheets.at(-1)?.replaceSync(themeSheet(theme, popup.accent));
  }
  if (popup.locale !== options.locale) {
    popup.locale = options.locale;
    popup.language = languageOf(popup.locale, options.strings);
  }
  render(
    <Branded branding={branding}>
      <PopupScreen
        view={popup.view}
        language={popup.language}
        talkFor={options.talkFor}
        side={theme.position === 'left' ? 'left' : 'right'}
        onToggle={() => (popup.view.mode === 'open' ? close(popup) : open(popup))}
        onDismiss={() => dismiss(popup)}
        onClose={() => close(popup)}
        onEngage={() => {
          if (popup.view.mode === 'open' && !popup.view.isEngaged) draw(popup, { isEngaged: true });
        }}
      />
    </Branded>,
    popup.root,
  );
}

function panelOf({ root }: PopupState): HTMLElement | null {
  return root.querySelector<HTMLElement>('.panel');
}

function hasFocus(popup: PopupState): boolean {
  return panelOf(popup)?.contains(popup.root.activeElement) === true;
}

function show(popup: PopupState, waiting: Waiting, mode: PopupMode): void {
  const { view } = popup;
  const isSame = view.waiting?.interactionId === waiting.interactionId;
  const wasOpen = view.mode === 'open';
  if (wasOpen && isSame) return draw(popup, { waiting });
  const isOpen = wasOpen || mode === 'open';
  draw(popup, { waiting, mode: isOpen ? 'open' : mode, hasOpened: isOpen || (isSame && view.hasOpened) });
  if (isOpen) popup.options.onOpen(waiting);
}

function open(popup: PopupState): void {
  const { root, options } = popup;
  const { waiting, mode } = popup.view;
  if (waiting === undefined) return;
  if (!hasFocus(popup)) {
    popup.opener = (root.activeElement ?? document.activeElement) as HTMLElement | undefined;
  }
  draw(popup, { mode: 'open', isEngaged: true, hasOpened: true });
  const panel = panelOf(popup);
  if (panel !== null && !hasFocus(popup)) focusFirst(panel);
  if (mode !== 'open') options.onOpen(waiting);
}

function close(popup: PopupState): void {
  const { waiting, mode } = popup.view;
  if (waiting === undefined || mode !== 'open') return;
  const wasFocused = hasFocus(popup);
  draw(popup, { mode: 'badge', isEngaged: false });
  if (wasFocused) returnFocus(popup);
  popup.options.onClose(waiting);
}

function dismiss(popup: PopupState): void {
  const { waiting } = popup.view;
  if (waiting === undefined) return;
  const wasFocused = popup.root.activeElement?.closest('.teaser') !== null;
  draw(popup, { mode: 'badge' });
  if (wasFocused) focusLauncher(popup);
  popup.options.onDismiss(waiting);
}

function returnFocus(popup: PopupState): void {
  const { opener, host } = popup;
  const isUsable = opener?.isConnected === true && opener !== document.body && opener !== host;
  if (isUsable) opener.focus({ preventScroll: true });
  else focusLauncher(popup);
  popup.opener = undefined;
}

function focusLauncher({ root }: PopupState): void {
  root.querySelector<HTMLElement>('.launcher')?.focus({ preventScroll: true });
}
