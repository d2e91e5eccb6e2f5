// What the reader has chosen is kept in this browser. It is applied before the page is drawn.
const root = document.documentElement;
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const usual = { language: 'curl', theme: prefersDark.matches ? 'dark' : 'light' };

function kept(name) {
  try {
    return localStorage.getItem(`parley-${name}`);
  } catch {
    return null;
  }
}

function choose(name, value) {
  root.dataset[name] = value;
  for (const button of document.querySelectorAll(`[data-set="${name}"]`)) {
    button.setAttribute('aria-pressed', String(button.dataset.value === value));
  }
}

function keep(name, value) {
  choose(name, value);
  try {
    localStorage.setItem(`parley-${name}`, value);
  } catch {
    // The choice then lasts as long as the page.
  }
}

for (const name of Object.keys(usual)) choose(name, kept(name) ?? usual[name]);
prefersDark.addEventListener('change', ({ matches }) => {
  if (kept('theme') === null) choose('theme', matches ? 'dark' : 'light');
});

addEventListener('DOMContentLoaded', () => {
  for (const name of Object.keys(usual)) choose(name, root.dataset[name]);
  startSwitches();
  startCopying();
  startSearch();
  startMenu();
  followReading();
});

function startSwitches() {
  for (const button of document.querySelectorAll('[data-set]')) {
    const { set, value } = button.dataset;
    button.addEventListener('click', () => {
      const isOn = root.dataset[set] === value;
      // The samples above change their height: what is read stays where it is.
      const section = [...document.querySelectorAll('main section')].find(
        (one) => one.getBoundingClientRect().bottom > 80,
      );
      const top = section?.getBoundingClientRect().top;
      keep(set, set === 'theme' && isOn ? 'light' : value);
      if (section) scrollBy({ top: section.getBoundingClientRect().top - top, behavior: 'instant' });
    });
  }
}

function startCopying() {
  for (const button of document.querySelectorAll('.copy')) {
    // Browsers offer no clipboard to a page without TLS, except on this machine.
    button.hidden = navigator.clipboard === undefined;
    button.addEventListener('click', () => {
      copy(button).catch(() => show(button, 'Not copied'));
    });
  }
}

async function copy(button) {
  await navigator.clipboard.writeText(button.parentElement.querySelector('pre').textContent);
  show(button, 'Copied');
}

function show(button, text) {
  button.textContent = text;
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 1500);
}

function startSearch() {
  const field = document.getElementById('search');
  const found = document.getElementById('found');
  const menu = document.querySelector('.menu');
  const entries = [...document.querySelectorAll('nav li')].map((item) => ({
    item,
    // Shown by the search alone.
    isExtra: item.hidden,
    text: `${item.textContent} ${item.dataset.words ?? ''}`.toLowerCase(),
  }));
  const search = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { item, isExtra, text } of entries) {
      item.hidden = (isExtra && words.length === 0) || !words.every((word) => text.includes(word));
      if (!item.hidden) count += 1;
    }
    for (const list of document.querySelectorAll('nav ul')) {
      const isEmpty = list.querySelector('li:not([hidden])') === null;
      list.hidden = isEmpty;
      if (list.previousElementSibling?.matches('h2')) list.previousElementSibling.hidden = isEmpty;
    }
    found.textContent = words.length === 0 ? '' : `${count} found`;
    if (words.length > 0) menu.open = true;
  };
  field.addEventListener('input', search);
  field.addEventListener('keydown', ({ key, isComposing, keyCode }) => {
    // Safari says with this code only that the Enter key has ended a composition.
    if (key !== 'Enter' || isComposing || keyCode === 229) return;
    document.querySelector('nav li:not([hidden]) a')?.click();
  });
}

// Beside the text the contents stay open; above it they would hide it.
function startMenu() {
  const menu = document.querySelector('.menu');
  const isWide = matchMedia('(min-width: 64rem)');
  const fit = () => {
    menu.open = isWide.matches;
  };
  isWide.addEventListener('change', fit);
  fit();
  menu.addEventListener('click', ({ target }) => {
    if (target.closest('a') && !isWide.matches) menu.open = false;
  });
}

function followReading() {
  const links = new Map([...document.querySelectorAll('nav a[href^="#"]')].map((link) => [link.hash.slice(1), link]));
  const observer = new IntersectionObserver(
    (changes) => {
      const section = changes.find(({ isIntersecting }) => isIntersecting)?.target;
      if (!section) return;
      for (const link of links.values()) link.removeAttribute('aria-current');
      const link = links.get(section.id);
      link.setAttribute('aria-current', 'true');
      link.scrollIntoView({ block: 'nearest' });
    },
    { rootMargin: '-15% 0px -80%' },
  );
  for (const section of document.querySelectorAll('main section:not(.group)')) {
    if (links.has(section.id)) observer.observe(section);
  }
}
