import { expect, test } from 'vitest';
import { draft, valid } from '../../tests/definitions.ts';
import { PreviewConversation } from './preview-conversation.ts';

const customer = { id: 'preview', firstName: '', lastName: '', email: '' };
const yesNo = { type: 'yesNo' };
const steps = [
  { id: 'happy', kind: 'ask', text: 'Happy?', input: yesNo },
  { id: 'why', kind: 'ask', text: 'Why not?', input: { type: 'text' }, when: 'answers.happy == false' },
  {
    id: 'again',
    kind: 'ask',
    text: 'Again?',
    input: yesNo,
    next: [{ if: 'answers.again', goto: 'bye' }, { else: 'why' }],
  },
  { id: 'bye', kind: 'end', text: 'Bye' },
];

/** Begins at a step, and returns what is said after each answer. */
function talk(definition: ReturnType<typeof valid>, stepId: string | undefined, answers: unknown[]) {
  const conversation = new PreviewConversation(definition, { context: {}, customer }, { beginsAt: stepId });
  conversation.start();
  const said = [conversation.snapshot().entries.map(({ body }) => body)];
  for (const [at, value] of answers.entries()) {
    const { seq, input } = conversation.snapshot();
    const message = { clientMessageId: String(at), expectedSeq: seq, stepId: input?.stepId ?? '' };
    conversation.post({ ...message, answer: { value } });
    said.push(conversation.snapshot(seq).entries.map(({ body }) => body));
  }
  return { said, conversation };
}

test('a conversation begins at a step, in spite of its condition, and goes on as the definition says', () => {
  const definition = valid(draft(steps));
  const { said, conversation } = talk(definition, 'why', ['It was late.', true]);
  expect(said).toEqual([['Why not?'], ['It was late.', 'Again?'], ['Yes', 'Bye']]);
  expect(conversation.status).toBe('Completed');
  expect(talk(definition, 'bye', []).said).toEqual([['Bye']]);
});

test('answers of such a conversation can be revised', () => {
  const definition = valid(draft(steps, { revise: true }));
  const { conversation } = talk(definition, 'again', [false]);
  const message = { clientMessageId: 'r', expectedSeq: conversation.snapshot().seq, stepId: 'again' };
  expect(conversation.post({ ...message, answer: { value: true } }, true)).toHaveProperty('data');
  expect(conversation.status).toBe('Completed');
});

test('without the step, it begins at the first one', () => {
  const definition = valid(draft(steps));
  expect(talk(definition, 'gone', []).said).toEqual([['Happy?']]);
  expect(talk(definition, undefined, []).said).toEqual([['Happy?']]);
});
