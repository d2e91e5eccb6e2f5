import type { Message as Sent } from './gen/api.ts';

/**
 * Exactly one of a value of the step's type, text that is understood as one where possible, and nothing at all. What a value
 * is: `Message` of the OpenAPI document.
 */
export type MessageAnswer =
  | { value: unknown; text?: never; skip?: never }
  | { text: string; value?: never; skip?: never }
  | { skip: true; value?: never; text?: never };

/** What the customer says: the answer to the question that a snapshot shows. */
export type Message = Omit<Sent, 'answer'> & { answer: MessageAnswer };
