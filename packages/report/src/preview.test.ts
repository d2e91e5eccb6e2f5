import { validateDefinition } from '@parley/bot/definition';
import { PreviewConversation } from '@parley/bot/preview-conversation';
import { expect, test } from 'vitest';
import { previewState } from './preview.ts';

test('a preview shows the question, and what a conversation has stored, as text', () => {
  const choices = ['a', 'b'].map((value) => ({ value, label: value }));
  const read = validateDefinition({
    schemaVersion: 1,
    key: 'k',
    name: 'N',
    type: 'T',
    context: [{ name: 'product', default: 'Tea' }],
    evaluation: { score: {} },
    steps: [
      { id: 'some', kind: 'ask', text: 'Which?', input: { type: 'multiChoice', choices } },
      { id: 'score', kind: 'ask', text: 'How much?', input: { type: 'nps' }, evaluation: 'score' },
      { id: 'bye', kind: 'end', text: 'Bye' },
    ],
  });
  if (!('definition' in read)) throw new Error(JSON.stringify(read.faults));
  const customer = { id: 'preview', firstName: '', lastName: '', email: '' };
  const conversation = new PreviewConversation(read.definition, { context: {}, customer });
  const context = [{ name: 'product', value: 'Tea' }];
  const empty = { context, answers: [], evaluation: [], notes: [] };
  expect(previewState(conversation)).toEqual({ ...empty, status: 'Pending', stepId: null });
  conversation.start();
  expect(previewState(conversation)).toEqual({ ...empty, status: 'InProgress', stepId: 'some' });
  conversation.replay([
    { stepId: 'some', answer: { value: ['a', 'b'] } },
    { stepId: 'score', answer: { value: 9 } },
  ]);
  expect(previewState(conversation)).toEqual({
    ...empty,
    status: 'Completed',
    stepId: null,
    answers: [
      { name: 'some', value: 'a, b' },
      { name: 'score', value: '9' },
    ],
    evaluation: [{ name: 'score', value: '9' }],
  });
});
