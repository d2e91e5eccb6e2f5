export const transcriptCss = `
.entries {
  display: flex; flex-direction: column; align-items: flex-start; gap: 4px; padding: 20px 16px;
}
.entry { max-inline-size: calc(100% - 12px); display: flex; flex-direction: column; align-items: flex-start; }
.entry.customer { align-self: flex-end; align-items: flex-end; max-inline-size: 80%; }
.line { display: flex; align-items: flex-end; gap: 8px; max-inline-size: 100%; }
.bot:not(.last) .line, .bot time { padding-inline-start: 36px; }
.line .avatar { inline-size: 28px; block-size: 28px; background: var(--tint); color: var(--ink); }
.line .avatar .icon { inline-size: 16px; block-size: 16px; }
.bubble { min-inline-size: 0; }
.entry.last { margin-block-end: 12px; }
.entry.last:last-child { margin-block-end: 0; }
.bubble {
  --round: min(var(--radius), 18px);
  padding: 9px 14px; border: 1px solid transparent; border-radius: var(--round);
  background: var(--soft); white-space: pre-wrap; overflow-wrap: anywhere;
}
.bot.last .bubble { border-end-start-radius: min(var(--round), 5px); }
.customer .bubble { background: var(--fill); color: var(--onFill); }
.customer.last .bubble { border-end-end-radius: min(var(--round), 5px); }
.customer .skipped { background: none; border-color: var(--line); color: var(--muted); font-style: italic; }
.change { min-block-size: 36px; padding-block: 4px; font-size: .8667em; }
.rated { letter-spacing: 1px; }
.unsent { align-self: stretch; display: flex; align-items: center; justify-content: flex-end; color: var(--muted); font-size: .8667em; line-height: 1.35; text-align: end; }
.unsent .plain { flex: none; color: var(--ink); font-weight: 600; }
.bubble a { color: inherit; font-weight: 500; text-decoration: underline; text-underline-offset: 2px; border-radius: 2px; }
time { margin-block-start: 4px; padding-inline: 4px; color: var(--muted); font-size: .8em; line-height: 1.4; }
.typing .bubble { display: flex; gap: 5px; align-items: center; min-block-size: 42px; }
.typing i { inline-size: 7px; block-size: 7px; border-radius: 50%; background: var(--muted); }
@media (prefers-reduced-motion: no-preference) {
  .entry { animation: rise .25s ease-out both; }
  .customer ~ .typing { animation-delay: .3s; }
  .typing i { animation: beat 1.2s infinite ease-in-out; }
  .typing i:nth-child(2) { animation-delay: .15s; }
  .typing i:nth-child(3) { animation-delay: .3s; }
}
@keyframes rise { from { opacity: 0; transform: translateY(8px); } }
@keyframes beat { 0%, 60%, 100% { opacity: .35; } 30% { opacity: 1; transform: translateY(-3px); } }
@media (forced-colors: active) {
  .typing i { background: CanvasText; forced-color-adjust: none; }
}
`;
