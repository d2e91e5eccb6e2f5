import { cleanText } from '../text/clean-text.ts';
import { beginConversation } from './engine.ts';
import type { BotDefinition } from '../definition/format.ts';
import type { Beginning } from './open-conversation.ts';
import { shorten } from '../text/template.ts';

const teaserCharsMax = 160;

/**
 * Returns the bot's first words as an invitation: one line of at most 160 characters. The bot's name when it starts
 * without words, such as with an `llm` step that waits for the model (`hasModel`).
 */
export function teaser(definition: BotDefinition, beginning: Beginning & { hasModel?: boolean }): string {
  const { entries } = beginConversation(definition, { ...beginning, now: 0 });
  const words = cleanText(entries[0]?.body ?? definition.name, false).replaceAll(/\s+/g, ' ');
  return shorten(words, teaserCharsMax);
}
