import { z } from 'zod';
import {
  expression,
  flag,
  int,
  localeTag,
  localText,
  name,
  namedValues,
  pattern,
  symbol,
  boundedText,
  translated,
} from '../text/format-text.ts';
import { inputRule } from '../questions/types.ts';
import { reminders } from './reminders.ts';
import { messages } from '../text/messages.ts';

export type { LocalText } from '../text/format-text.ts';
export type { InputRule } from '../questions/types.ts';

/** The longest name of a bot, in code points: it is shown in one line. */
export const botNameCharactersMax = 200;
/** The most entries of any list of a definition. Checking takes time in proportion. */
export const itemsMax = 200;
/** The most entries of any object of a definition. Checking takes time in proportion. */
export const membersMax = 100;

/** One day. */
export const stalledAfterSecondsDefault = 86_400;

const arm = z
  .union([z.strictObject({ if: expression, goto: name }), z.strictObject({ else: name })])
  .meta({ id: 'arm', description: '{if, goto}, or {else} as the last one.' });

const arms = z
  .array(arm)
  .min(1)
  .max(20)
  .meta({ id: 'arms', description: 'The first arm whose condition is true decides.' });

const next = z
  .union([name, arms])
  .optional()
  .meta({ id: 'next', description: 'The id of the step that follows, or arms.' });

const evaluationKey = name.optional().describe('The evaluation key that keeps the answer.');

const step = {
  id: name,
  when: expression.optional().meta({
    id: 'when',
    description: 'When it is false the conversation continues with the next step in the list.',
  }),
};

const sayStep = z
  .strictObject({ ...step, kind: z.literal('say'), next, text: localText, translated })
  .describe('The bot sends a text.');

const askStep = z
  .strictObject({
    ...step,
    kind: z.literal('ask'),
    next,
    text: localText,
    input: inputRule,
    required: flag(true, 'False lets the customer skip it.'),
    evaluation: evaluationKey,
    pii: flag(false, 'True when the answer is personal.'),
    prefill: boundedText(500)
      .optional()
      .describe('What the field holds at first; filled in like a text, left out when it is no valid answer.'),
    retry: z
      .strictObject({
        text: localText,
        max: int(1, 10).meta({ default: 3, description: 'How often the text is sent.' }),
        goto: name
          .optional()
          .describe('The step that follows after that. Without it, further such text is rejected.'),
      })
      .optional()
      .describe('What follows free text that is no answer. Without it such text is rejected.'),
    translated,
  })
  .describe('The bot asks and waits for the answer, which is known as answers.<id> afterwards.');

const setStep = z
  .strictObject({
    ...step,
    kind: z.literal('set'),
    next,
    evaluation: namedValues(expression, { min: 1, max: 50 }),
  })
  .describe('Writes computed values into the evaluation. A key whose expression fails is left out.');

const branchStep = z
  .strictObject({ ...step, kind: z.literal('branch'), next: arms })
  .describe('Only decides which step follows.');

const endStep = z
  .strictObject({ ...step, kind: z.literal('end'), text: localText.optional(), translated })
  .describe('Ends the conversation and completes the interaction.');

const llmStepFields = {
  ...step,
  kind: z.literal('llm'),
  next,
  prompt: boundedText(4000).describe(
    'The task of the model. It sees the values that are named here, as {{answers.x}}, {{context.x}} or ' +
      '{{customer.firstName}}, and nothing else of the conversation; in a chat also what is said in it.',
  ),
  saveAs: name
    .optional()
    .describe('The result is known as answers.<saveAs> afterwards, fields as answers.<saveAs>.<field>.'),
  pii: flag(
    false,
    'True when the result is personal. Without it, all but labels is personal when the prompt names the ' +
      'customer or a personal answer.',
  ),
  onError: z
    .strictObject({ goto: name })
    .describe(
      'The step that follows when there is no model, it does not answer in time or in the requested form, ' +
        'and after 20 questions to the model in one conversation.',
    ),
};

const classifyStep = z
  .strictObject({
    ...llmStepFields,
    mode: z.literal('classify'),
    labels: z
      .array(symbol)
      .min(2)
      .max(20)
      .check(({ value, issues }) => {
        value.forEach((one, index) => {
          if (value.indexOf(one) === index) return;
          issues.push({ code: 'custom', input: one, path: [index], message: messages.repeated });
        });
      })
      .meta({
        uniqueItems: true,
        description: 'All that the model may answer. The prompt says what they mean.',
      }),
    evaluation: evaluationKey,
  })
  .describe('The model chooses one of the labels.');

const extractStep = z
  .strictObject({
    ...llmStepFields,
    mode: z.literal('extract'),
    fields: namedValues(
      z.strictObject({
        description: boundedText(500).optional().describe('What to look for. References are not replaced.'),
        input: inputRule,
      }),
      { min: 1 },
    ).describe('What to find, by name: answers.<saveAs>.<name> afterwards.'),
    evaluation: namedValues(name, { min: 1 })
      .optional()
      .describe('For each evaluation key the field that it keeps.'),
  })
  .describe('The model finds values for the fields. A field that the text does not mention has none.');

const summariseStep = z
  .strictObject({ ...llmStepFields, mode: z.literal('summarise'), evaluation: evaluationKey })
  .describe("The model writes a text of at most 1000 characters, in the definition's language.");

const chatStep = z
  .strictObject({
    ...llmStepFields,
    mode: z.literal('chat'),
    maxTurns: int(1, 10).meta({ default: 5, description: 'How often the customer may say something.' }),
    evaluation: evaluationKey,
  })
  .describe(
    'The model talks to the customer, and speaks first. The chat ends when the model says so, or has answered ' +
      "the customer's last turn. saveAs and evaluation keep what the customer has said in it, a line each time.",
  );

const llmStep = z
  .discriminatedUnion('mode', [classifyStep, extractStep, summariseStep, chatStep])
  .describe('A language model answers. It never decides which step follows: branch on its answer.');

export const botDefinition = z
  .strictObject({
    $schema: z.string().optional().describe('The address of this schema, for editors.'),
    schemaVersion: z.literal(1),
    key: pattern(/^[a-z0-9][a-z0-9_-]{0,63}$/, messages.keyForm),
    name: boundedText(botNameCharactersMax).describe(
      'What the bot is called. Customers read it above the conversation.',
    ),
    description: boundedText(2000, 0).optional().describe('A note for its authors.'),
    type: boundedText(64).describe('The type of its interactions.'),
    typeLabel: boundedText(200).optional().describe('The longer name of that type.'),
    showTranscript: flag(
      false,
      'True when the page of a link shows the conversation after its end. Everybody who has the URL can read it.',
    ),
    revise: flag(false, 'True when customers may change earlier answers until the end of the conversation.'),
    locale: localeTag.optional().meta({ default: 'en', description: 'The language that every text has.' }),
    stalledAfterSeconds: int(60, 2_592_000)
      .nullable()
      .optional()
      .meta({
        default: stalledAfterSecondsDefault,
        description:
          'After so many seconds without an answer, the event InteractionStalled is raised, once until the next answer. ' +
          'null: never.',
      }),
    reminders: reminders.optional(),
    context: z
      .array(
        z.strictObject({
          name,
          default: boundedText(2000, 0).optional().describe('The value when none is supplied.'),
          pii: flag(false, 'True when the value is personal: anonymising replaces it with [removed].'),
        }),
      )
      .max(50)
      .optional()
      .describe('The properties that an interaction may supply, in the order in which they are listed.'),
    evaluation: namedValues(
      z.strictObject({
        pii: z
          .boolean()
          .optional()
          .describe('True when values are personal: anonymising replaces them with [removed].'),
      }),
      { max: membersMax },
    )
      .optional()
      .describe('The keys of the evaluation. Values are strings.'),
    steps: z
      .array(z.discriminatedUnion('kind', [sayStep, askStep, setStep, branchStep, llmStep, endStep]))
      .min(1)
      .max(itemsMax)
      .describe(
        'The conversation starts with the first step; the next in the list follows unless a step says otherwise.',
      ),
  })
  .meta({
    title: 'Parley bot definition, version 1',
    description:
      'A conversation as data. Publishing checks more than this schema can say: unique ids, targets that exist, ' +
      'reachability, names and the types of expressions.',
  });

/** A bot, version 1 of the format. Treat it as frozen: what is derived from it is cached by identity. */
export type BotDefinition = z.infer<typeof botDefinition>;

export type Step = BotDefinition['steps'][number];
export type AskStep = z.infer<typeof askStep>;
export type SetStep = z.infer<typeof setStep>;
/** A step that a language model answers, in a form that the step gives. */
export type LlmStep = z.infer<typeof llmStep>;
export type ChatStep = z.infer<typeof chatStep>;

/** The step after this one: an id, or the first arm whose condition is true, `else` being the last. */
export type Next = NonNullable<z.infer<typeof next>>;

export function botJsonSchema() {
  return { ...z.toJSONSchema(botDefinition), $id: 'urn:parley:schema:bot:v1' };
}
