import { render } from 'preact';
import { useRef } from 'preact/hooks';
import type { MountLanding, Talk } from '../model.ts';
import { LanguageContext } from './language-context.ts';
import { type Language, languageOf } from './language.ts';
import { openShadow } from './shadow.ts';
import { baseCss } from './styles/base.ts';
import { fieldsCss } from './styles/fields.ts';
import { landingCss } from './styles/landing.ts';
import { panelCss } from './styles/panel.ts';
import { transcriptCss } from './styles/transcript.ts';
import { TalkScreen } from './talk-screen.tsx';

/** Shows a talk as a page of its own. */
export const mountLanding: MountLanding = ({ container, locale, theme, talk }) => {
  const { host, root } = openShadow(theme, [baseCss, panelCss, transcriptCss, fieldsCss, landingCss]);
  container.append(host);
  render(<LandingScreen language={languageOf(locale)} talk={talk} />, root);
  return () => {
    render(null, root);
    host.remove();
  };
};

function LandingScreen({ language, talk }: { language: Language; talk: Talk }) {
  const panel = useRef<HTMLElement>(null);
  return (
    <LanguageContext.Provider value={language}>
      <div class="root page" dir={language.direction} lang={language.ownTag}>
        <main class="panel" ref={panel} tabIndex={-1} aria-labelledby="title">
          <TalkScreen talk={talk} panel={panel} titleId="title" isShown />
        </main>
      </div>
    </LanguageContext.Provider>
  );
}
