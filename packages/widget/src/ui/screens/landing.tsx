import { render } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Invitation, MountLanding, Talk } from '../../model.ts';
import { Branded } from '../look/brand.tsx';
import { Facts } from '../conversation/facts.tsx';
import { LanguageContext } from '../language/language-context.ts';
import { type Language, languageOf } from '../language/language.ts';
import { openShadow } from '../dom/shadow.ts';
import { baseCss } from '../styles/base.ts';
import { fieldsCss } from '../styles/fields.ts';
import { landingCss } from '../styles/landing.ts';
import { panelCss } from '../styles/panel.ts';
import { transcriptCss } from '../styles/transcript.ts';
import { TalkScreen } from '../conversation/talk-screen.tsx';

export const mountLanding: MountLanding = (options) => {
  const { container, locale, branding, talk, invitation } = options;
  const { host, root } = openShadow(options, [baseCss, panelCss, transcriptCss, fieldsCss, landingCss]);
  container.append(host);
  render(
    <Branded branding={branding}>
      <LandingScreen language={languageOf(locale)} talk={talk} promised={invitation} />
    </Branded>,
    root,
  );
  return () => {
    render(null, root);
    host.remove();
  };
};

function LandingScreen(props: { language: Language; talk: Talk; promised: Promise<Invitation> }) {
  const { language, talk, promised } = props;
  const [invitation, setInvitation] = useState<Invitation>();
  useLayoutEffect(() => void promised.then(setInvitation), [promised]);
  const panel = useRef<HTMLElement>(null);
  return (
    <LanguageContext.Provider value={language}>
      <div class="root page" dir={language.direction} lang={language.ownTag}>
        <main class="panel" ref={panel} tabIndex={-1} aria-labelledby="title">
          <TalkScreen
            talk={talk}
            panel={panel}
            titleId="title"
            isShown
            teaser={invitation?.teaser}
            facts={<Facts effort={invitation?.effort ?? null} />}
          />
        </main>
      </div>
    </LanguageContext.Provider>
  );
}
