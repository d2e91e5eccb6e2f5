import { typeOf } from '../questions/types.ts';
import type { LlmStep } from '../definition/format.ts';

/** The longest accepted summary, in UTF-16 units. */
export const summaryCharsMax = 1000;
/** The longest reply in a chat, in UTF-16 units. */
export const replyCharsMax = 2000;

/** A JSON Schema of the few keywords that endpoints with structured output know. */
export type AnswerSchema = {
  type: 'object';
  properties: Record<string, object>;
  required: string[];
  additionalProperties: false;
};

/** Returns the schema of the model's answer. `readValues` checks what the schema cannot express. */
export function answerSchema(step: LlmStep): AnswerSchema {
  switch (step.mode) {
    case 'classify':
      return object({ label: { type: 'string', enum: step.labels } });
    case 'summarise':
      return object({
        summary: { type: 'string', description: `Plain text, at most ${summaryCharsMax} characters.` },
      });
    case 'chat':
      return object({
        reply: { type: 'string', description: `Plain text, at most ${replyCharsMax} characters.` },
        done: { type: 'boolean', description: 'True when these are your last words.' },
      });
    case 'extract':
      return object(
        Object.fromEntries(
          Object.entries(step.fields).map(([name, { description, input }]) => [
            name,
            { ...typeOf(input).modelSchema(input), ...(description !== undefined && { description }) },
          ]),
        ),
      );
  }
}

function object(properties: Record<string, object>): AnswerSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}
