import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

export interface Completion {
  id: string;
  /** JSON, about 2 KB: a conversation with its evaluation. */
  body: string;
}

/** The workspace of all secrets, in the form of Standard Webhooks. */
export const signingSecret = `whsec_${Buffer.alloc(32, 'bench').toString('base64')}`;

/** Returns different events. Like ids of interactions, their ids rise with time. */
export function completions(number: number): Completion[] {
  return Array.from({ length: number }, () => {
    const id = uuidv7();
    return { id, body: bodyOf(id) };
  });
}

const said = [
  'How likely are you to recommend our shop to a friend or a colleague?',
  'Nine, I would say.',
  'Thank you. What is the main reason for your score?',
  'It came a day earlier than promised, and the box could be opened without a knife.',
  'Is there anything that we could do better next time?',
  'The colour on the page looked a bit lighter than it is. Otherwise nothing comes to my mind.',
  'Thank you for your time. We wish you a nice day.',
];

function bodyOf(interactionId: string): string {
  const transcript = said.map((text, index) => ({
    id: randomUUID(),
    seq: index + 1,
    author: index % 2 === 0 ? 'bot' : 'customer',
    text,
    at: new Date(1_790_000_000_000 + index * 7_000).toISOString(),
  }));
  const evaluation = {
    score: 9,
    category: 'promoter',
    reason: said[3],
    topics: ['delivery', 'packaging', 'colour'],
  };
  return JSON.stringify({
    customer_id: 'customer-4711',
    interaction_id: interactionId,
    evaluation,
    transcript,
  });
}
