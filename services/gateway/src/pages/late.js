// Beside a page whose script puts a screen in the place of `.late`: says at once that a script was not loaded. The
// style sheet says it after a while, also without this.
const late = document.querySelector('.late');
const again = late.querySelector('a');

if (navigator.language.startsWith('de')) {
  late.lang = 'de';
  late.querySelector('p').textContent =
    'Ein Teil dieser Seite wurde nicht geladen, oder es dauert länger als sonst.';
  again.textContent = 'Noch einmal versuchen';
}

addEventListener(
  'error',
  ({ target }) => {
    if (target === window || target.localName === 'script') late.classList.add('shown');
  },
  true,
);

// Unlike the link alone, this keeps the code that is in the address of some pages. The script of the sign-in removes the
// code from the address, and `.late` with it.
again.addEventListener('click', (event) => {
  event.preventDefault();
  location.reload();
});
