import { bodyCharsMax } from '../text/clean-text.ts';
import { conversationBytesMax, entryBytesMax, hasRoomFor, jsonBytes } from '../plan/conversation-size.ts';
import type { BotDefinition, Step } from '../definition/format.ts';
import { replaceReferences, templateReferences, translations } from '../text/template.ts';
import { type MessageFault, messages } from '../text/messages.ts';

// The API's limits on a customer and on the context. They equal the limits in `@parley/contracts/limits`, on which this
// package does not depend.
const customerBytesMax = 5 * 1024;
export const contextValueBytesMax = 2 * 1024;
export const contextBytesMax = 16 * 1024;
/** A UTF-16 unit has three bytes of UTF-8 at most. */
const bodyBytesMax = 3 * bodyCharsMax;

/**
 * Returns a warning with the first step that a conversation may not reach because of its size, whatever the
 * customer answers. Counts the largest customer and context, and each text once with the longest context
 * values. Other values are not counted.
 */
export function sizeWarnings({ context = [], steps }: BotDefinition): MessageFault[] {
  let bytes = customerBytesMax + Math.min(context.length * contextValueBytesMax, contextBytesMax);
  const index = steps.findIndex((step) => {
    const isFull = !hasRoomFor({ seq: 0, bytes }, 2);
    bytes += textBytes(step);
    return isFull;
  });
  const id = steps[index]?.id;
  if (id === undefined) return [];
  const detail = messages.mayEnd(id, conversationBytesMax / 1024, entryBytesMax / 1024);
  return [{ pointer: `/steps/${index}`, detail }];
}

function textBytes(step: Step): number {
  const text = 'text' in step ? step.text : undefined;
  return text === undefined ? 0 : Math.max(...translations(text).map(filledBytes));
}

function filledBytes(template: string): number {
  const fromContext = templateReferences(template).references.filter(({ source }) => source === 'context');
  const own = jsonBytes(replaceReferences(template, () => ''));
  return Math.min(own + fromContext.length * contextValueBytesMax, bodyBytesMax);
}
