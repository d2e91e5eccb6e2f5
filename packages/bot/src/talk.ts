import { answerBody, celValue } from './answer-forms.ts';
import type { CelFacts, CelValue } from './cel.ts';
import { bodyCharsMax, cleanText } from './check-value.ts';
import type { ConversationState, Customer, Entry } from './conversation.ts';
import type { LocalText } from './format.ts';
import { own, type Plan } from './plan.ts';
import { jsonBytes } from './conversation-size.ts';
import { localText, type Reference, type Referent, type Rendered, render } from './template.ts';

/** What a talk starts from. Context keys that the bot does not declare are ignored. */
export type Beginning = {
  customer: Customer;
  context: Record<string, string>;
  /** A language tag; the definition's own when absent or none. */
  locale?: string;
};

/**
 * A turn in the making: its own copy of the state, and the entries written so far. Without a model, steps that need one
 * fail as soon as they are reached.
 */
export type Talk = {
  plan: Plan;
  state: ConversationState;
  entries: Entry[];
  now: number;
  hasModel: boolean;
};

// The form that the tags of BCP 47 have, as the API takes them too.
const languageTag = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/;

/** A talk that has not said anything yet. */
export function openTalk(plan: Plan, beginning: Beginning, now: number, hasModel: boolean): Talk {
  const { customer, locale } = beginning;
  const context: Record<string, string> = {};
  for (const { name, default: otherwise } of plan.definition.context ?? []) {
    const value = own(beginning.context, name) ?? otherwise;
    if (value !== undefined) context[name] = cleanText(value, true);
  }
  const person = {
    id: customer.id,
    firstName: cleanText(customer.firstName, false),
    lastName: cleanText(customer.lastName, false),
    email: cleanText(customer.email, false),
  };
  const state: ConversationState = {
    stepId: null,
    answers: {},
    evaluation: {},
    retryCount: 0,
    answeredCount: 0,
    seq: 0,
    lastTimestamp: 0,
    bytes: jsonBytes(person) + jsonBytes(context),
    customer: person,
    context,
    locale: locale !== undefined && languageTag.test(locale) ? locale : plan.locale,
  };
  return { plan, state, entries: [], now, hasModel };
}

/** A talk that goes on from a state, which itself stays as it is. */
export function resumeTalk(plan: Plan, state: ConversationState, now: number, hasModel: boolean): Talk {
  const copy = { ...state, answers: { ...state.answers }, evaluation: { ...state.evaluation } };
  return { plan, state: copy, entries: [], now, hasModel };
}

/**
 * Adds an entry, with the form of an answer. Its time is `now`, or a microsecond after the entry before where the clock
 * has not moved on.
 */
export function writeEntry(
  { state, entries, now }: Talk,
  type: Entry['type'],
  { body, personal }: Rendered,
  form: Pick<Entry, 'skipped' | 'outOf'> = {},
): void {
  state.seq += 1;
  state.lastTimestamp = Math.max(Math.round(now * 1e6), Math.round(state.lastTimestamp * 1e6) + 1) / 1e6;
  const entry: Entry = { seq: state.seq, type, body, timestamp: state.lastTimestamp, ...form };
  if (personal.length > 0) entry.personal = personal;
  state.bytes += jsonBytes(entry);
  entries.push(entry);
}

/** Lets the bot say a text; one that comes out blank is left unsaid. */
export function say(talk: Talk, text: LocalText): void {
  const rendered = fillIn(talk.plan, talk.state, localText(text, talk.state.locale, talk.plan.locale));
  if (rendered.body.trim() !== '') writeEntry(talk, 'bot', rendered);
}

/** Fills a template in from what the talk knows. */
export function fillIn(plan: Plan, state: ConversationState, template: string): Rendered {
  return render(template, (reference) => lookUp(plan, state, reference), bodyCharsMax);
}

/** What conditions see of the talk. */
export function factsOf({ plan, state }: Talk): CelFacts {
  const answers = new Map<string, CelValue | Map<string, CelValue>>();
  for (const [name, rule] of plan.answers) {
    const value = own(state.answers, name);
    const known = value === undefined ? undefined : celValue(rule, value);
    const [base = '', field] = name.split('.');
    if (field === undefined) {
      if (known !== undefined) answers.set(base, known);
      continue;
    }
    // There without any field, too: `has(answers.order.size)` asks for the last part only.
    const before = answers.get(base);
    const fields = before instanceof Map ? before : new Map<string, CelValue>();
    if (known !== undefined) fields.set(field, known);
    answers.set(base, fields);
  }
  const { context, customer } = state;
  return { answers, context: new Map(Object.entries(context)), customer: new Map(Object.entries(customer)) };
}

/** What a reference stands for in the talk; undefined for an answer that there is not. */
export function lookUp(
  plan: Plan,
  state: ConversationState,
  { source, name }: Reference,
): Referent | undefined {
  if (source === 'customer') return { value: own<string>(state.customer, name) ?? '', personal: true };
  if (source === 'context') return { value: own(state.context, name) ?? '', personal: false };
  const rule = plan.answers.get(name);
  const value = own(state.answers, name);
  if (rule === undefined || value === undefined) return undefined;
  const body = answerBody(rule, value, state.locale, plan.locale);
  return { value: body, personal: plan.personalAnswers.has(name) };
}
