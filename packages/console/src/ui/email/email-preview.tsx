import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { classes } from '../classes.ts';
import { OneOf } from '../forms/one-of.tsx';
import { drawEmail } from './draw-email.ts';

const looks = ['light', 'dark', 'text'] as const;

/** A block for an e-mail as programs show it: as it is, with the colours of a dark mode, and as text. */
export function EmailPreview({ html, text }: { html: string; text: string }) {
  const { links: t } = useTexts();
  const [look, setLook] = useState<(typeof looks)[number]>('light');
  return (
    <div className="min-w-0 space-y-2">
      <OneOf label={t.emailLook} values={looks} value={look} words={t.emailLooks} onChange={setLook} />
      {look === 'text' ? (
        <pre
          tabIndex={0}
          aria-label={t.emailText}
          className="max-h-96 overflow-auto rounded-md bg-raised p-3 text-xs whitespace-pre-wrap wrap-anywhere"
        >
          {text}
        </pre>
      ) : (
        <Drawn html={html} isDark={look === 'dark'} />
      )}
      <p className="text-xs text-quiet">{t.emailLooksAbout[look]}</p>
    </div>
  );
}

/** In a shadow tree, which the styles of the page do not reach. */
function Drawn({ html, isDark }: { html: string; isDark: boolean }) {
  const { links: t } = useTexts();
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!host.current) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    root.replaceChildren(...drawEmail(html));
  }, [html]);
  return (
    <div
      role="region"
      tabIndex={0}
      aria-label={t.emailPreview}
      className="max-h-96 overflow-auto rounded-md border border-line"
    >
      <div ref={host} className={classes('bg-white p-3 text-black', isDark && 'hue-rotate-180 invert')} />
    </div>
  );
}
