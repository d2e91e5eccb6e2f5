import type { GivenCustomer } from '@parley/bot/conversation';
import type { BotDefinition } from '@parley/bot/definition';
import { answer, type ConversationState, currentInput, type Turn } from '@parley/bot/engine';
import { answerModel } from '@parley/bot/model-answer';
import { v7 as uuidv7 } from 'uuid';
import type { PublishedBot } from '../bots/definitions.ts';
import type { BotRow } from '../bots/store.ts';
import type { Creation } from '../creating/creation-store.ts';
import { type NewInteraction, notBegun } from '../interactions/store.ts';
import { eventsOf, eventsOfCreation } from '../interactions/events.ts';
import { startConversation } from '../creating/starting.ts';
import { epochSeconds, turnChange } from '../interactions/turn-change.ts';
import { answerTo, modelAnswer } from './answers.ts';
import type { Random } from './random.ts';

export interface Plan {
  bot: BotRow;
  published: PublishedBot;
  person: GivenCustomer;
  createdAt: Date;
  isHappier: boolean;
}

const hourMs = 3_600_000;
const openMs = 7 * 24 * hourMs;
const opening = 0.82;

/**
 * Returns an interaction with a conversation that the engine has held at instants of the past. The service expires
 * interactions whose time is over.
 */
export function heldInteraction(plan: Plan, random: Random, now: Date): Creation {
  const { bot, published, person, createdAt } = plan;
  let draft: NewInteraction = {
    ...notBegun,
    id: uuidv7({ msecs: createdAt.getTime() }),
    workspaceId: bot.workspaceId,
    customerId: person.id,
    botId: bot.id,
    status: 'Pending',
    priority: random.pick(['Medium', 'Medium', 'High', 'Low']),
    type: bot.type,
    typeLabel: bot.typeLabel,
    isTest: false,
    context: [],
    expiresAt: new Date(createdAt.getTime() + openMs),
    availableFrom: null,
    createdAt,
  };
  const openedAt = new Date(createdAt.getTime() + random.between(0.02, 20) * hourMs);
  const isOpened = random.happens(opening) && openedAt < now;
  const events = eventsOfCreation(draft, undefined, createdAt);
  if (isOpened) {
    const start = startConversation(published, draft, person, openedAt, { hasModel: true });
    const { row, endedAt } = talk({ ...draft, ...start }, plan, random, openedAt, now);
    events.push(...eventsOf(draft, row, { now: endedAt }));
    draft = row;
  }
  return { row: draft, customerVersion: 0, events };
}

/** Answers until the bot ends, the customer leaves, or the present. */
function talk(started: NewInteraction, plan: Plan, random: Random, openedAt: Date, now: Date) {
  const { definition } = plan.published;
  let row = started;
  let at = openedAt;
  while (row.state && row.status !== 'Completed') {
    // A model answers at once, a customer after a while.
    const later = row.state.awaiting ? at : new Date(at.getTime() + random.between(6_000, 55_000));
    const turn = later < now ? nextTurn(definition, row.state, later, plan, random) : undefined;
    if (!turn) break;
    at = later;
    // The model has answered at once.
    row = { ...row, ...turnChange(row, turn, definition, at), modelDueAt: null, modelTraceparent: null };
  }
  return { row, endedAt: at };
}

/** Returns what follows from the answer of the customer or the model; undefined when the customer leaves. */
function nextTurn(
  definition: BotDefinition,
  state: ConversationState,
  at: Date,
  { isHappier }: Plan,
  random: Random,
): Turn | undefined {
  const now = epochSeconds(at);
  if (state.awaiting) {
    const outcome = { text: modelAnswer(state.awaiting.stepId, state.answers) };
    return accepted(answerModel(definition, state, { outcome, now }));
  }
  const input = currentInput(definition, state, now);
  const given = input && answerTo({ state, input }, random, isHappier);
  if (!given) return undefined;
  const event = { stepId: input.stepId, answer: given, now, hasModel: true };
  return accepted(answer(definition, state, event));
}

function accepted(outcome: Turn | { rejected: { detail: string } }): Turn {
  if ('rejected' in outcome) throw new Error(`an answer of the demo is rejected: ${outcome.rejected.detail}`);
  return outcome;
}
