// First, because the other modules create schemas.
import '../../../../no-evaluation.ts';
import { validateDefinition } from '@parley/bot/definition';
import { emailBlockOf, type EmailSender, emailHtml, emailText } from '@parley/bot/email-block';
import { PreviewConversation } from '@parley/bot/preview-conversation';
import { beginningOf, type Run } from '../../../../preview/messages.ts';

/** A block for an e-mail, in both forms. */
interface Email {
  html: string;
  text: string;
}

/** Returns the first question of a run as the API would; undefined if one click cannot answer it. */
export function emailOf(run: Run, sender: Omit<EmailSender, 'locale'>): Email | undefined {
  const checked = validateDefinition(run.definition);
  if (!('definition' in checked)) return undefined;
  // A conversation that waits for a model has no question.
  const options = { id: run.id, beginsAt: run.beginsAt, isModelPlayed: true };
  const conversation = new PreviewConversation(checked.definition, beginningOf(run), options);
  conversation.start();
  const block = emailBlockOf(conversation.snapshot(), { ...sender, locale: run.locale });
  return block && { html: emailHtml(block), text: emailText(block) };
}
