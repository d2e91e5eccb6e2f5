import { render } from 'preact';
import type { MountPopup } from '../model.ts';
import { Branded } from './brand.tsx';
import { focusFirst } from './focus.ts';
import { languageOf } from './language.ts';
import { PopupScreen, type PopupView } from './popup-screen.tsx';
import { openShadow } from './shadow.ts';
import { baseCss } from './styles/base.ts';
import { fieldsCss } from './styles/fields.ts';
import { panelCss } from './styles/panel.ts';
import { popupCss } from './styles/popup.ts';
import { transcriptCss } from './styles/transcript.ts';

/** Adds the widget to a page: a launcher, a teaser and a panel in its lower corner, or over all of a small one. */
export const mountPopup: MountPopup = (options) => {
  const { container, theme, onOpen, onClose, onDismiss } = options;
  const { host, root } = openShadow(options, [baseCss, panelCss, transcriptCss, fieldsCss, popupCss]);
  let { locale } = options;
  let language = languageOf(locale, options.strings);
  let view: PopupView = { waiting: undefined, mode: 'badge', isAsked: false, hasOpened: false };
  /** What had the focus before the panel took it. */
  let opener: HTMLElement | undefined;

  // A page that makes itself anew takes the host away with the rest.
  const attach = () => {
    if (host.isConnected) return;
    (container.isConnected ? container : document.documentElement).append(host);
  };
  const draw = (change: Partial<PopupView>) => {
    view = { ...view, ...change };
    attach();
    if (locale !== options.locale) {
      locale = options.locale;
      language = languageOf(locale, options.strings);
    }
    render(
      <Branded branding={options.branding}>
        <PopupScreen
          view={view}
          language={language}
          talkFor={options.talkFor}
          side={theme.position === 'left' ? 'left' : 'right'}
          onToggle={() => (view.mode === 'open' ? close() : open())}
          onDismiss={dismiss}
          onClose={close}
          onEngage={engage}
        />
      </Branded>,
      root,
    );
  };
  const panel = () => root.querySelector<HTMLElement>('.panel');
  const hasFocus = () => panel()?.contains(root.activeElement) === true;

  const open = () => {
    const { waiting, mode } = view;
    if (waiting === undefined) return;
    if (!hasFocus()) opener = (root.activeElement ?? document.activeElement) as HTMLElement | undefined;
    draw({ mode: 'open', isAsked: true, hasOpened: true });
    const element = panel();
    if (element !== null && !hasFocus()) focusFirst(element);
    if (mode !== 'open') onOpen(waiting);
  };
  const close = () => {
    const { waiting, mode } = view;
    if (waiting === undefined || mode !== 'open') return;
    const wasFocused = hasFocus();
    draw({ mode: 'badge', isAsked: false });
    if (wasFocused) giveFocusBack();
    onClose(waiting);
  };
  const engage = () => {
    if (view.mode === 'open' && !view.isAsked) draw({ isAsked: true });
  };
  const dismiss = () => {
    const { waiting } = view;
    if (waiting === undefined) return;
    const wasFocused = root.activeElement?.closest('.teaser') !== null;
    draw({ mode: 'badge' });
    if (wasFocused) root.querySelector<HTMLElement>('.launcher')?.focus({ preventScroll: true });
    onDismiss(waiting);
  };
  const giveFocusBack = () => {
    const isUsable = opener?.isConnected === true && opener !== document.body && opener !== host;
    const target = isUsable ? opener : root.querySelector<HTMLElement>('.launcher');
    target?.focus({ preventScroll: true });
    opener = undefined;
  };

  draw({});
  return {
    refresh: () => draw({}),
    show(waiting, mode) {
      const isSame = view.waiting?.interactionId === waiting.interactionId;
      const wasOpen = view.mode === 'open';
      if (wasOpen && isSame) return draw({ waiting });
      const isOpen = wasOpen || mode === 'open';
      draw({ waiting, mode: isOpen ? 'open' : mode, hasOpened: isOpen || (isSame && view.hasOpened) });
      if (isOpen) onOpen(waiting);
    },
    open,
    close,
    hide() {
      const wasFocused = hasFocus();
      draw({ waiting: undefined, mode: 'badge', isAsked: false, hasOpened: false });
      if (wasFocused && opener?.isConnected === true) opener.focus({ preventScroll: true });
    },
    unmount() {
      view = { ...view, waiting: undefined, mode: 'badge' };
      render(null, root);
      host.remove();
    },
  };
};
