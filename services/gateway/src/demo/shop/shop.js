// What only the demo has: buttons that do what the shop's backend would, and a look at what comes of it.

const find = (selector) => document.querySelector(selector);
const entriesMax = 50;

const note = (text) => {
  const list = find('#events');
  list.querySelector('.none')?.remove();
  const entry = document.createElement('li');
  const time = document.createElement('time');
  time.textContent = new Date().toLocaleTimeString();
  entry.append(time, text);
  list.prepend(entry);
  while (list.children.length > entriesMax) list.lastChild.remove();
};

const call = async (path, init) => {
  const response = await fetch(path, init);
  const { success, data, detail } = await response.json();
  if (!success) throw new Error(detail);
  return data;
};

const showOutcome = async () => {
  const newest = await call('/demo/conversations');
  if (!newest?.evaluation) return;
  find('#outcome').textContent = JSON.stringify(newest.evaluation, null, 2);
  find('#outcome').hidden = false;
  find('.outcome').scrollIntoView({ block: 'nearest' });
};

const start = async (widget, offer) => {
  find('#outcome').hidden = true;
  // As on a page that has just been loaded: what was opened or closed before is forgotten.
  widget.logout();
  const body = JSON.stringify({ offer });
  const { link } = await call('/demo/conversations', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  find('#link a').href = link;
  find('#link').hidden = false;
  await widget.check();
};

const follow = (widget) => {
  widget.on('available', ({ botName, priority }) => note(`available: ${botName}, ${priority}`));
  for (const name of ['open', 'close', 'started', 'expired']) widget.on(name, () => note(name));
  widget.on('message', ({ entry }) => note(`message: ${entry.type}`));
  widget.on('completed', () => {
    note('completed');
    showOutcome().catch(({ message }) => note(message));
  });
  widget.on('error', ({ error }) => note(`error: ${error.message}`));
};

const press = async (widget, button) => {
  if (button.ariaBusy === 'true') return;
  button.ariaBusy = 'true';
  for (const other of document.querySelectorAll('.done')) other.textContent = '';
  try {
    await start(widget, button.dataset.offer);
    // What waited before looks the same, so the page says that this is another one.
    const text = `Created at ${new Date().toLocaleTimeString()}. Look at the corner of this page.`;
    button.closest('li').querySelector('.done').textContent = text;
  } catch ({ message }) {
    note(`error: ${message}`);
  } finally {
    button.ariaBusy = 'false';
  }
};

const copy = async (button, text) => {
  await navigator.clipboard.writeText(text);
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = 'Copy'), 2_000);
};

/** Below each button, the request that a backend would send. */
const showRequests = async () => {
  const requests = await call('/demo/requests');
  for (const choice of document.querySelectorAll('.choices li')) {
    const text = requests[choice.querySelector('[data-offer]').dataset.offer];
    const request = document.createElement('div');
    const pre = document.createElement('pre');
    const button = document.createElement('button');
    request.className = 'request';
    pre.textContent = text;
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.ariaLive = 'polite';
    button.addEventListener('click', () => void copy(button, text).catch(({ message }) => note(message)));
    request.append(pre, button);
    choice.querySelector('details').append(request);
  }
};

const begin = () => {
  const { widget } = window.Parley;
  follow(widget);
  for (const button of document.querySelectorAll('[data-offer]')) {
    button.addEventListener('click', () => void press(widget, button));
  }
};

showRequests().catch(({ message }) => note(`error: ${message}`));
if (window.Parley) begin();
else find('#parley').addEventListener('load', begin);
