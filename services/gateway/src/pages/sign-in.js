// Ends a sign-in: sends what the address has to the gateway, and opens the console. An address alone changes nothing,
// so previews of links use up no code. A link does not end the session of who opens it without a question: somebody
// else may have sent it.
const english = {
  waiting: 'Signing in',
  waitingWhy: 'Please wait a moment. Do not load this page again.',
  noSession: 'You are not signed in',
  noAnswer: 'Parley does not answer. Please try again in a moment.',
  again: 'Try again',
  reference: 'If you ask for help, quote this reference:',
  asked: (name) => `You are signed in as ${name}`,
  about:
    'If you continue, your session ends, and the person of this link is signed in. ' +
    'Continue only if you expected the link.',
  continue: 'Continue as the person of this link',
  stay: (name) => `Stay signed in as ${name}`,
  known: {},
};
const german = {
  waiting: 'Anmeldung läuft',
  waitingWhy: 'Bitte warten Sie einen Moment. Laden Sie diese Seite nicht neu.',
  noSession: 'Sie sind nicht angemeldet',
  noAnswer: 'Parley antwortet nicht. Bitte versuchen Sie es gleich noch einmal.',
  again: 'Noch einmal versuchen',
  reference: 'Wenn Sie um Hilfe bitten, nennen Sie diese Nummer:',
  asked: (name) => `Sie sind als ${name} angemeldet`,
  about:
    'Wenn Sie fortfahren, endet Ihre Sitzung, und die Person dieses Links wird angemeldet. ' +
    'Fahren Sie nur fort, wenn Sie den Link erwartet haben.',
  continue: 'Als die Person dieses Links fortfahren',
  stay: (name) => `Als ${name} angemeldet bleiben`,
  known: {
    'invalid-link': 'Dieser Link gilt nicht mehr. Bitten Sie um einen anderen.',
    'incomplete-link':
      'Dieser Link ist unvollständig. Öffnen Sie ihn noch einmal aus der Nachricht, oder kopieren Sie ihn ganz.',
    'invalid-sign-in': 'Diese Anmeldung gilt nicht mehr. Bitte versuchen Sie es noch einmal.',
  },
};

/** Returns the language that was chosen in the console, unless the browser denies its storage. */
function chosenLanguage() {
  try {
    return localStorage.getItem('parley-console-language');
  } catch {
    return null;
  }
}

/** Leaves the ids of the joined workspaces to the console, which names them. */
function leaveJoined(ids) {
  try {
    sessionStorage.setItem('parley-console-joined', ids.join(' '));
  } catch {
    // The browser denies its storage, or it is full.
  }
}

const language = (chosenLanguage() ?? navigator.language).startsWith('de') ? 'de' : 'en';
const texts = language === 'de' ? german : english;
document.documentElement.lang = language;

const main = document.getElementById('parley');
const { pathname, search, hash } = location;
const base = pathname.slice(0, pathname.indexOf('/console/sign-in'));
const isLink = pathname.endsWith('/link');
const hasSession = document.getElementById('has-session') !== null;
const headers = { 'x-parley-console': '1' };
// Neither the history nor the console may keep a code. So `.late`, which loads the page again, must go with it.
history.replaceState(null, '', pathname);
showWaiting();

function element(name, text, fields = {}) {
  return Object.assign(document.createElement(name), { textContent: text, ...fields });
}

function show(title, ...parts) {
  document.title = title;
  main.replaceChildren(element('h1', title), ...parts);
}

function showWaiting() {
  show(texts.waiting, element('p', texts.waitingWhy));
}

function showRefusal({ type, detail, requestId }) {
  const known = texts.known[type];
  const why = known === undefined ? element('p', `${detail}.`, { lang: 'en' }) : element('p', known);
  show(texts.noSession, why, element('p', `${texts.reference} ${requestId}`));
}

/** Only this page has the code still. */
function showNoAnswer() {
  const again = element('button', texts.again, { type: 'button' });
  again.addEventListener('click', () => {
    showWaiting();
    open().catch(showNoAnswer);
  });
  const choices = element('p', '', { className: 'choices' });
  choices.append(again);
  show(texts.noSession, element('p', texts.noAnswer), choices);
}

async function signIn() {
  const response = await fetch(pathname, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(isLink ? { code: hash.slice(1) } : { query: search.slice(1) }),
  });
  const { success, data, ...refusal } = await response.json();
  if (!success) return showRefusal(refusal);
  const { joined = [] } = data;
  if (joined.length > 0) leaveJoined(joined);
  location.replace(data.location);
}

function ask({ name, email }) {
  const who = name || email;
  const choices = element('p', '', { className: 'choices' });
  const proceed = element('button', texts.continue, { type: 'button' });
  proceed.addEventListener('click', () => {
    showWaiting();
    signIn().catch(showNoAnswer);
  });
  choices.append(element('a', texts.stay(who), { href: `${base}/console` }), proceed);
  show(texts.asked(who), element('p', texts.about), choices);
}

async function open() {
  if (!isLink || !hasSession) return signIn();
  const response = await fetch(`${base}/v1/session`, { headers });
  if (response.status === 401) return signIn();
  const { success, data, ...refusal } = await response.json();
  if (success) return ask(data);
  showRefusal(refusal);
}

open().catch(showNoAnswer);
