import type { Branding } from '@parley/client';
import { useMemo } from 'react';
import { base } from '../../../../environment.ts';
import type { Run } from '../../../../preview/messages.ts';
import { useTexts } from '../../../../texts/texts.tsx';
import { EmailPreview } from '../../../../ui/email/email-preview.tsx';
import { emailOf } from './email-of.ts';

/** The first question as a block for an e-mail. */
export function EmailForm({ run, branding }: { run: Run; branding: Branding | undefined }) {
  const { editor: t } = useTexts();
  const email = useMemo(() => {
    const { displayName = null, accentColor = null } = branding ?? {};
    // The links of a real one end with a secret.
    return emailOf(run, { displayName, accentColor, link: `${location.origin}${base}/interactions/…` });
  }, [run, branding]);
  return email ? <EmailPreview {...email} /> : <p className="text-quiet">{t.tryNoEmail}</p>;
}
