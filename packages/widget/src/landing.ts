import { browserClient } from './customer.ts';
import { browserPage } from './page.ts';
import { linkSession } from './session.ts';
import { createTalk } from './talk.ts';
import { mountLanding } from './ui/landing.tsx';

// The entry of the landing page: `{landing_url}/interactions/<token>`.
const token = location.pathname.split('/').findLast(Boolean) ?? '';
const baseUrl =
  document.querySelector<HTMLMetaElement>('meta[name="parley-api"]')?.content || location.origin;

const locale = navigator.language;
// What the server has said for those without scripts: the screen says it from now on.
document.querySelector('#parley')?.remove();
const session = linkSession(browserClient(baseUrl), decodeURIComponent(token), new AbortController().signal);
mountLanding({
  container: document.body,
  locale,
  theme: {},
  // Opening the page changes nothing: the customer starts the talk, and takes it up again.
  talk: createTalk({ session, locale, resumes: false, page: browserPage() }),
});
