import { noDetails, perDetail } from '@parley/contracts/customer-details';
import { typeOf } from '../questions/types.ts';
import type { CelBindings, CelValue } from '../expressions/cel-types.ts';
import { bodyCharsMax, cleanText } from '../text/clean-text.ts';
import type { ConversationState, Entry, GivenCustomer } from '../plan/conversation.ts';
import type { InputRule, LlmStep, LocalText } from '../definition/format.ts';
import { ownValue, type Plan } from '../plan/plan.ts';
import { jsonBytes } from '../plan/conversation-size.ts';
import { localText, type Reference, type Referent, type Rendered, render, sayIn } from '../text/template.ts';
import { newTurnBudget, type TurnBudget } from '../bounds/turn-budget.ts';

/** The start of a conversation. Context keys that the bot does not declare are ignored. */
export type Beginning = {
  customer: GivenCustomer;
  context: Record<string, string>;
  /** A language tag. If it is absent or invalid, the language of the definition. */
  locale?: string;
  /** Decides all random orders: the id of the interaction. Default: the id of the customer. */
  seed?: string;
};

/**
 * A conversation during a turn: its own copy of the state, and the entries of this turn. Without a model, steps that
 * need one fail at once.
 */
export type Conversation = {
  plan: Plan;
  state: ConversationState;
  entries: Entry[];
  now: number;
  hasModel: boolean;
  /** Whether a step has a result of a model from an earlier walk: then the model need not be there. */
  hasResult?: (step: LlmStep) => boolean;
  budget: TurnBudget;
  /** The values that texts have named since the last change of an answer, or of the evaluation. */
  referents: Map<string, Referent | undefined>;
};

// The form of BCP 47 that the API accepts.
const languageTag = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/;

/** Returns a new conversation without entries. */
export function openConversation(
  plan: Plan,
  beginning: Beginning,
  now: number,
  hasModel: boolean,
): Conversation {
  const { customer, locale } = beginning;
  const context: Record<string, string> = {};
  for (const { name, default: otherwise } of plan.definition.context ?? []) {
    const value = ownValue(beginning.context, name) ?? otherwise;
    if (value !== undefined) context[name] = cleanText(value, true);
  }
  const person = { id: customer.id, ...perDetail((name) => cleanText(customer[name] ?? '', false)) };
  const state: ConversationState = {
    stepId: null,
    answers: {},
    evaluation: {},
    retryCount: 0,
    answeredCount: 0,
    steps: [],
    ways: [],
    activeSeconds: 0,
    ...(plan.definition.revise && { path: { steps: [] } }),
    seq: 0,
    lastTimestamp: 0,
    bytes: jsonBytes(person) + jsonBytes(context),
    customer: person,
    context,
    locale: locale !== undefined && languageTag.test(locale) ? locale : plan.locale,
    ...(plan.isShuffled && { seed: beginning.seed ?? customer.id }),
  };
  return newTurn(plan, state, now, hasModel);
}

/** Returns a conversation with a copy of the state. */
export function resumeConversation(
  plan: Plan,
  state: ConversationState,
  now: number,
  hasModel: boolean,
): Conversation {
  const copy = {
    ...state,
    answers: { ...state.answers },
    evaluation: { ...state.evaluation },
    ...(state.steps && { steps: [...state.steps] }),
    ...(state.ways && { ways: [...state.ways] }),
    ...(state.path && { path: { ...state.path, steps: [...state.path.steps] } }),
  };
  return newTurn(plan, copy, now, hasModel);
}

function newTurn(plan: Plan, state: ConversationState, now: number, hasModel: boolean): Conversation {
  return { plan, state, entries: [], now, hasModel, budget: newTurnBudget(), referents: new Map() };
}

/**
 * Adds an entry. Its time is `now`, but at least a microsecond after the previous entry.
 */
export function writeEntry(
  { state, entries, now }: Conversation,
  type: Entry['type'],
  { body, personal }: Rendered,
  form: Pick<Entry, 'skipped' | 'outOf' | 'shown' | 'stepId'> = {},
): void {
  state.seq += 1;
  const before = state.lastTimestamp;
  state.lastTimestamp = Math.max(Math.round(now * 1e6), Math.round(before * 1e6) + 1) / 1e6;
  if (state.activeSeconds !== undefined && before > 0) {
    state.activeSeconds = toMilliseconds(state.activeSeconds + countedPause(before, state.lastTimestamp));
  }
  const entry: Entry = { seq: state.seq, type, body, timestamp: state.lastTimestamp, ...form };
  if (personal.length > 0) entry.personal = personal;
  state.bytes += jsonBytes(entry);
  entries.push(entry);
}

/** A longer pause says nothing about how long the customer took. */
const pauseSecondsMax = 30 * 60;

/** Returns the seconds between two times (epoch seconds), at most 30 minutes. */
export function countedPause(from: number, to: number): number {
  return Math.min(Math.max(to - from, 0), pauseSecondsMax);
}

function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000;
}

/** Adds an entry of the bot, unless the filled-in text is blank. */
export function sayText(conversation: Conversation, text: LocalText): void {
  const { plan, state, referents } = conversation;
  const rendered = fillIn(plan, state, localText(text, state.locale, plan.locale), referents);
  if (rendered.body.trim() !== '') writeEntry(conversation, 'bot', rendered);
}

/** Fills in a template with the values of the conversation. Keeps them in `known`. */
export function fillIn(
  plan: Plan,
  state: ConversationState,
  template: string,
  known = new Map<string, Referent | undefined>(),
): Rendered {
  const lookUpOnce = (reference: Reference): Referent | undefined => {
    const key = `${reference.source}.${reference.name}`;
    if (!known.has(key)) known.set(key, lookUp(plan, state, reference));
    return known.get(key);
  };
  return render(template, lookUpOnce, bodyCharsMax);
}

const noNames: ReadonlyMap<string, CelValue> = new Map();

export function bindingsOf({ plan, state }: Conversation): CelBindings {
  const answers = bindNames(plan.answers, (name, rule) => {
    const value = ownValue(state.answers, name);
    return value === undefined ? undefined : typeOf(rule).celValue(rule, value);
  });
  const others =
    plan.others.size === 0
      ? noNames
      : bindNames(plan.others, (name, rule) => {
          const value = ownValue(state.answers, name);
          return value === undefined ? undefined : typeOf(rule).ownWords(value)?.text;
        });
  const { context } = state;
  // The conversation may be older than a detail.
  const customer = { ...noDetails, ...state.customer };
  return {
    answers,
    context: new Map(Object.entries(context)),
    customer: new Map(Object.entries(customer)),
    others,
    evaluation: new Map(Object.entries(state.evaluation)),
  };
}

/** Returns the values of names, of which some are fields: `order.size`. */
export function bindNames(
  rules: ReadonlyMap<string, InputRule>,
  valueOf: (name: string, rule: InputRule) => CelValue | undefined,
): ReadonlyMap<string, CelValue | ReadonlyMap<string, CelValue>> {
  const answers = new Map<string, CelValue | Map<string, CelValue>>();
  for (const [name, rule] of rules) {
    const known = valueOf(name, rule);
    const [base = '', field] = name.split('.');
    if (field === undefined) {
      if (known !== undefined) answers.set(base, known);
      continue;
    }
    // Also set without any field: `has(answers.order.size)` checks the last part only.
    const before = answers.get(base);
    const fields = before instanceof Map ? before : new Map<string, CelValue>();
    if (known !== undefined) fields.set(field, known);
    answers.set(base, fields);
  }
  return answers;
}

export function lookUp(
  plan: Plan,
  state: ConversationState,
  { source, name }: Reference,
): Referent | undefined {
  if (source === 'customer') return { value: ownValue<string>(state.customer, name) ?? '', personal: true };
  if (source === 'context') {
    return { value: ownValue(state.context, name) ?? '', personal: plan.personalContext.has(name) };
  }
  if (source === 'evaluation') {
    return { value: ownValue(state.evaluation, name) ?? '', personal: plan.personalKeys.has(name) };
  }
  const rule = plan.answers.get(name);
  const value = ownValue(state.answers, name);
  if (rule === undefined || value === undefined) return undefined;
  const say = sayIn({ locale: state.locale, ownLocale: plan.locale });
  const body = typeOf(rule).sayValue(rule, value, say);
  return { value: body, personal: plan.personalAnswers.has(name) };
}
