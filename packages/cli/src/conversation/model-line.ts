import type { ModelOutcome } from '@parley/bot/engine';
import type { LlmStep } from '@parley/bot/format';

/** Describes the valid answers of the model, in one line. */
export function modelHint(step: LlmStep): string {
  const failing = `empty to fail, which leads to ${step.onError.goto}`;
  switch (step.mode) {
    case 'classify':
      return `(a label: ${step.labels.join(' | ')}; ${failing})`;
    case 'extract':
      return `(JSON with any of ${Object.keys(step.fields).join(', ')}; ${failing})`;
    case 'summarise':
      return `(the summary; ${failing})`;
    case 'chat':
      return `(the reply; end the last one with "//"; ${failing})`;
  }
}

/** Reads the answer of a person who plays the model: bare words, or the JSON of a model. */
export function readModelLine(step: LlmStep, line: string): ModelOutcome {
  const text = line.trim();
  if (text === '') return { failed: true };
  if (text.startsWith('{') || step.mode === 'extract') return { text };
  if (step.mode === 'classify') return { text: JSON.stringify({ label: text }) };
  if (step.mode === 'summarise') return { text: JSON.stringify({ summary: text }) };
  const reply = text.replace(/\s*\/\/$/, '');
  return { text: JSON.stringify({ reply, done: reply !== text }) };
}
