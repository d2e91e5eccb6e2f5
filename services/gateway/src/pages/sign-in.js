// Ends a sign-in: sends what the address has to the gateway, and opens the console. An address alone changes nothing,
// so previews of links use up no code.
const main = document.getElementById('parley');
const { pathname, search, hash } = location;
// Neither the history nor the console may keep a code.
history.replaceState(null, '', pathname);

function show(title, ...texts) {
  const heading = document.createElement('h1');
  heading.textContent = title;
  const paragraphs = texts.map((text) => {
    const paragraph = document.createElement('p');
    paragraph.textContent = text;
    return paragraph;
  });
  main.replaceChildren(heading, ...paragraphs);
}

async function signIn() {
  const response = await fetch(pathname, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-parley-console': '1' },
    body: JSON.stringify(pathname.endsWith('/link') ? { code: hash.slice(1) } : { query: search.slice(1) }),
  });
  const { success, data, detail, requestId } = await response.json();
  if (success) return location.replace(data.location);
  show('You are not signed in', `${detail}.`, `If you ask for help, quote this reference: ${requestId}`);
}

signIn().catch(() => show('You are not signed in', 'Parley does not answer. Please open the link again in a moment.'));
