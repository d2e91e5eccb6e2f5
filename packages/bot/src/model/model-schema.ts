import { scaleOf } from '../questions/check-value.ts';
import type { InputRule, LlmStep } from '../definition/format.ts';

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
            { ...valueSchema(input), ...(description !== undefined && { description }) },
          ]),
        ),
      );
  }
}

// Null for a value that the customer has not given.
function valueSchema(rule: InputRule): object {
  switch (rule.type) {
    case 'choice':
      return { type: ['string', 'null'], enum: [...rule.choices.map(({ value }) => value), null] };
    case 'multiChoice': {
      const items = { type: 'string', enum: rule.choices.map(({ value }) => value) };
      return { type: ['array', 'null'], items };
    }
    case 'nps':
    case 'rating': {
      const { min, max } = scaleOf(rule);
      return { type: ['integer', 'null'], description: `${min} to ${max}` };
    }
    case 'number':
      return { type: [rule.integer === true ? 'integer' : 'number', 'null'] };
    case 'yesNo':
      return { type: ['boolean', 'null'] };
    case 'date':
      return { type: ['string', 'null'], description: 'YYYY-MM-DD' };
    case 'time':
      return { type: ['string', 'null'], description: 'HH:MM' };
    default:
      return { type: ['string', 'null'] };
  }
}

function object(properties: Record<string, object>): AnswerSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}
