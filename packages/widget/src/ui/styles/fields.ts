/** The composer and its fields. A selection has a border and a mark, not only a colour. */
export const fieldsCss = `
.composer { display: flex; flex-wrap: wrap; align-items: end; gap: 8px; container-type: inline-size; }
.above, .note, .options, .scale, .island { flex: 1 0 100%; min-inline-size: 0; }
.above { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; column-gap: 12px; font-size: .8667em; }
.above label { font-weight: 600; }
.hint, .note { color: var(--muted); }
.note { order: 1; font-size: .9333em; }
.note:empty { display: none; }
.problem { color: var(--alert); font-weight: 500; }
.busy button:not(.lit) { opacity: .6; }
.busy .text-field { background: var(--soft); }
.send { flex: none; min-inline-size: 44px; padding-inline: 9px; }
.send.wide { order: 3; flex: 1; }
.send[aria-disabled='true'] { background: var(--line); color: var(--muted); }
kbd { color: var(--muted); font: inherit; }
@media (hover: none) { kbd { display: none; } }
.revised { margin-block-end: 8px; font-size: .8667em; }
.steps { display: flex; justify-content: space-between; margin-block-start: 8px; }
.steps:empty { display: none; }
.skip { order: 2; margin-inline-start: -14px; }
.text-field {
  flex: 1 0 0; min-inline-size: 0; min-block-size: 44px; padding: 9px 13px; border: 1px solid var(--edge);
  border-radius: var(--small-radius); background: var(--surface); font-size: max(1em, 16px); line-height: 1.45;
}
.text-field::placeholder { color: var(--muted); opacity: 1; }
.text-field:focus-visible { outline-offset: -1px; border-color: var(--ink); }
.text-field[aria-invalid='true'] { border-color: var(--alert); outline-color: var(--alert); }
textarea.text-field { flex: 1 0 100%; display: block; resize: none; field-sizing: content; min-block-size: 88px; max-block-size: 200px; }
.options { display: grid; gap: 8px; }
.pair { grid-template-columns: repeat(auto-fit, minmax(min(100%, 120px), 1fr)); text-align: center; }
.option { position: relative; display: block; cursor: pointer; }
.option input { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; opacity: 0; cursor: inherit; }
.face { border: 1px solid var(--edge); background: var(--surface); border-radius: var(--small-radius); font-weight: 500; }
.options .face {
  display: flex; align-items: center; gap: 10px; min-block-size: 44px; padding: 9px 14px; overflow-wrap: anywhere; text-align: start;
}
.options.pair .face { justify-content: center; text-align: center; }
.options > .face { border-color: var(--ink); color: var(--ink); }
.option .face::before {
  content: ''; flex: none; inline-size: 18px; block-size: 18px; border: 1.5px solid var(--edge); border-radius: min(5px, var(--radius)); background: var(--surface);
}
.option input:checked + .face::before {
  content: '✓' / ''; border: 0; background: var(--ink); color: var(--surface); font-size: 13px; font-weight: 700; line-height: 18px; text-align: center;
}
input:checked + .face { border-color: var(--ink); background: var(--tint); box-shadow: inset 0 0 0 1px var(--ink); font-weight: 600; }
input:focus-visible + .face { outline: 2px solid var(--ink); outline-offset: 2px; }
.options > .lit, .numbers .face.lit { background: var(--fill); color: var(--onFill); border-color: var(--fill); }
.row { display: grid; gap: 6px; }
.numbers { grid-template-columns: repeat(6, 1fr); }
.of-10 { grid-template-columns: repeat(5, 1fr); }
.numbers .face { min-block-size: 44px; font-variant-numeric: tabular-nums; border-color: var(--ink); color: var(--ink); }
.scale:has(.stars) { display: grid; justify-content: center; }
.stars { grid-auto-flow: column; justify-content: center; gap: 4px; }
.stars .face { display: grid; place-items: center; inline-size: 48px; block-size: 48px; border: 0; background: none; color: var(--ink); }
.stars .icon { inline-size: 34px; block-size: 34px; stroke-width: 1.5; }
.stars .lit .icon { fill: currentColor; }
.ends { display: flex; justify-content: space-between; gap: 16px; margin-block-start: 6px; color: var(--muted); font-size: .8667em; line-height: 1.35; }
.ends span:last-child { text-align: end; }
@container (min-width: 340px) {
  .row.numbers { grid-auto-flow: column; grid-template-columns: none; grid-auto-columns: 1fr; gap: 4px; }
  .of-11 .face { border-radius: min(var(--small-radius), 8px); }
}
@media (hover: hover) {
  .option:hover .face { border-color: var(--ink); }
  .composer:not(.busy) :is(.options > .face, .numbers .face):not(.lit):hover { background: var(--tint); }
  .composer:not(.busy) .stars .face:is(:hover, :has(~ .face:hover)) .icon { fill: var(--tint); }
}
@media (forced-colors: active) {
  input:checked + .face, .lit { outline: 2px solid Highlight; outline-offset: -3px; }
  .stars .lit .icon { fill: Highlight; forced-color-adjust: none; }
  input:focus-visible + .face { outline: 3px solid CanvasText; outline-offset: 2px; }
}
`;
