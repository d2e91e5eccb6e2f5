import { textOn, usualAccent } from '@parley/contracts/accent';
import { escaped } from '@parley/runtime/html';
import type { Click, Input } from '../questions/types.ts';
import { answerLink, endsOf, isScale, oneClicksOf } from './one-click.ts';

/** Whose block it is, where its links lead, and its language. */
export interface EmailSender {
  /** Of the company; null if it has none. */
  displayName: string | null;
  /** `#rrggbb`; null: the usual one. */
  accentColor: string | null;
  /** Of the interaction. */
  link: string;
  locale: string | undefined;
}

export interface EmailBlock extends EmailSender {
  /** What the bot says, the question last. */
  texts: readonly string[];
  answers: readonly Click[];
  /** Whether the answers are numbers, which stand in a row. */
  isScale: boolean;
  /** What the ends of the scale mean. */
  ends: { low: string; high: string } | undefined;
  stepId: string;
}

/** A conversation that waits for its first answer. */
export interface Opening {
  entries: readonly { type: 'bot' | 'customer'; body: string }[];
  input: Input | null;
}

/** Returns the first question as a block; undefined if one click cannot answer it. */
export function emailBlockOf({ entries, input }: Opening, sender: EmailSender): EmailBlock | undefined {
  const answers = input && oneClicksOf(input);
  if (!input || !answers) return undefined;
  return {
    ...sender,
    // What the bot says last: a conversation that had begun can be offered again.
    texts: entries.slice(entries.findLastIndex(({ type }) => type !== 'bot') + 1).map(({ body }) => body),
    answers,
    isScale: isScale(answers),
    ends: endsOf(input, answers),
    stepId: input.stepId,
  };
}

const font = 'font-family:Arial,Helvetica,sans-serif;';
/** Long words do not widen the table. */
const wrap = 'overflow-wrap:anywhere;';
const ink = '#1b1e25';
const ground = '#ffffff';

/**
 * Returns the first question for an e-mail: tables with inline styles, as Outlook needs them, without scripts, pictures
 * and other files. Each colour of a text comes with its ground, so that a dark mode changes both or none.
 */
export function emailHtml(block: EmailBlock): string {
  const { displayName, texts, locale } = block;
  const said = [...(displayName === null ? [] : [displayName]), ...texts.slice(0, -1)];
  const question = texts.at(-1) ?? '';
  const lang = locale === undefined ? '' : ` lang="${escaped(locale)}"`;
  const direction = isRightToLeft(question) ? ' dir="rtl"' : '';
  return `<table role="presentation"${lang}${direction} width="600" cellpadding="0" cellspacing="0" border="0" bgcolor="${ground}" style="width:100%;max-width:600px;background-color:${ground};color:${ink};${font}font-size:16px;line-height:24px;">
${said.map((text) => row(`<p style="margin:0 0 12px 0;">${lines(text)}</p>`)).join('')}${row(`<p style="margin:0 0 12px 0;font-weight:bold;">${lines(question)}</p>`)}<tr><td style="padding:0 16px 16px 16px;">
${block.isScale ? scale(block) : list(block)}</td></tr>
</table>
`;
}

function row(content: string): string {
  return `<tr><td style="padding:0 16px;color:${ink};${font}${wrap}font-size:16px;line-height:24px;">${content}</td></tr>\n`;
}

function scale(block: EmailBlock): string {
  const { answers, ends, texts } = block;
  const width = Math.floor(100 / answers.length);
  const cells = answers.map(
    (one) => `<td width="${width}%" style="padding:2px;">${button(block, one, '0')}</td>`,
  );
  const half = Math.ceil(answers.length / 2);
  const meaning = (text: string, span: number, align: string): string =>
    `<td colspan="${span}" align="${align}" valign="top" style="padding:4px 2px 0 2px;color:${ink};${font}${wrap}font-size:13px;line-height:18px;">${escaped(text)}</td>`;
  const [start, end] = isRightToLeft(texts.at(-1) ?? '') ? ['right', 'left'] : ['left', 'right'];
  const meanings = ends
    ? `<tr>${meaning(ends.low, half, start)}${meaning(ends.high, answers.length - half, end)}</tr>\n`
    : '';
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
<tr>${cells.join('\n')}</tr>
${meanings}</table>
`;
}

function list(block: EmailBlock): string {
  const rows = block.answers.map(
    (one) => `<tr><td style="padding:4px 0;${wrap}">${button(block, one, '16px')}</td></tr>`,
  );
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
${rows.join('\n')}
</table>
`;
}

/** A cell with a ground is a button also where links have none, as in Outlook. */
function button(
  { link, stepId, locale, accentColor }: EmailBlock,
  { key, label }: Click,
  side: string,
): string {
  const fill = accentColor ?? usualAccent;
  const text = textOn(fill);
  const href = escaped(answerLink(link, stepId, key, locale));
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" bgcolor="${fill}" style="background-color:${fill};border-radius:6px;"><a href="${href}" target="_blank" style="display:block;padding:10px ${side};color:${text};${font}font-size:16px;line-height:20px;font-weight:bold;text-decoration:none;">${escaped(label)}</a></td></tr></table>`;
}

function lines(text: string): string {
  return escaped(text).replaceAll(/\r?\n/g, '<br>');
}

/** Returns whether the first letter of a text is written from right to left, as browsers tell the direction. */
function isRightToLeft(text: string): boolean {
  const [first = ''] = /\p{L}/u.exec(text) ?? [];
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Nko}\p{Script=Syriac}\p{Script=Thaana}]/u.test(first);
}

/** Returns the same for the part of an e-mail that is plain text. */
export function emailText({ displayName, texts, answers, ends, link, stepId, locale }: EmailBlock): string {
  const last = answers.length - 1;
  const meaning = (at: number): string => (at === 0 ? ends?.low : at === last ? ends?.high : undefined) ?? '';
  const choices = answers.map(({ key, label }, at) => {
    const about = meaning(at);
    return `${label}${about ? ` (${about})` : ''}: ${answerLink(link, stepId, key, locale)}`;
  });
  return `${[...(displayName === null ? [] : [displayName]), ...texts].join('\n\n')}\n\n${choices.join('\n')}\n`;
}
