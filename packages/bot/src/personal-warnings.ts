import type { Fault } from '@parley/runtime/errors';
import type { BotDefinition, LocalText, Step } from './format.ts';
import { templateReferences, translations } from './template.ts';

/** Returns a warning for each text that prints personal context: every reader of the conversation sees it. */
export function personalWarnings({ context = [], steps }: BotDefinition): Fault[] {
  const personal = new Set(context.flatMap(({ name, pii }) => (pii === true ? [name] : [])));
  return steps.flatMap((step, index) =>
    textsOf(step).flatMap(([inside, text]) => {
      const names = translations(text).flatMap((one) => templateReferences(one).references);
      const printed = names.find(({ source, name }) => source === 'context' && personal.has(name));
      return printed === undefined
        ? []
        : [{ pointer: `/steps/${index}${inside}`, detail: detailOf(printed.name) }];
    }),
  );
}

function detailOf(name: string): string {
  return `This prints the personal context "${name}": it is in the transcript, on the page of the link and in webhooks.`;
}

function textsOf(step: Step): [pointer: string, text: LocalText][] {
  const texts: [string, LocalText][] = [];
  if ('text' in step && step.text !== undefined) texts.push(['/text', step.text]);
  if (step.kind === 'ask' && step.retry !== undefined) texts.push(['/retry/text', step.retry.text]);
  return texts;
}
