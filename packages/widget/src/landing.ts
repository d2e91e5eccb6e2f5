import { browserClient } from './customer/customer.ts';
import { createRetries } from './customer/retries.ts';
import type { Branding } from './model.ts';
import { browserPage } from './page/page.ts';
import { tagOf } from './page/language-tag.ts';
import { linkSession } from './customer/session.ts';
import { createTalk } from './conversation/talk.ts';
import { mountLanding } from './ui/screens/landing.tsx';

// The entry of the landing page: `{landing_url}/interactions/<token>`.
const token = location.pathname.split('/').findLast(Boolean) ?? '';
const baseUrl =
  document.querySelector<HTMLMetaElement>('meta[name="parley-api"]')?.content || location.origin;

const brand = document.querySelector<HTMLMetaElement>('meta[name="parley-branding"]')?.content;

const locale = navigator.language;
const uninvited = { teaser: '', effort: null };
// The server's text for browsers without scripts, which the screen now replaces.
document.querySelector('#parley')?.remove();
const { signal } = new AbortController();
const session = linkSession(browserClient(baseUrl), decodeURIComponent(token), signal);
const pending = createRetries(session).callWithRetry(
  (client) => client.getPending({ locale: tagOf(locale) }),
  signal,
  () => {},
);
mountLanding({
  container: document.body,
  locale,
  theme: { colorScheme: 'auto' },
  branding: brand ? (JSON.parse(brand) as Branding) : undefined,
  // Opening the page changes nothing: the customer starts or resumes the conversation, unless a page has just done so.
  talk: createTalk({ session, locale, resumes: location.hash === '#resume', page: browserPage() }),
  // An invalid link has none.
  invitation: pending.then(
    (waiting) => waiting ?? uninvited,
    () => uninvited,
  ),
});
