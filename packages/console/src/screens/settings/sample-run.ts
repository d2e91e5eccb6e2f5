import { newRunId, type Run } from '../../preview/messages.ts';

/** Returns a short conversation, which shows the branding. */
export function sampleRun(name: string, question: string): Run {
  const steps = [
    { id: 'score', kind: 'ask', text: question, input: { type: 'rating' } },
    { id: 'bye', kind: 'end' },
  ];
  const definition = { schemaVersion: 1, key: 'sample', name, type: 'Feedback', steps };
  return { id: newRunId(), definition, context: {}, advances: [] };
}
