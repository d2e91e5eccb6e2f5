import type { LlmStep } from '../definition/format.ts';
import type { Report, RuleChecks } from '../questions/question-type.ts';
import { typeOf } from '../questions/types.ts';
import { templateReferences } from '../text/template.ts';
import { type Message, messages } from '../text/messages.ts';

/** Reports the faults of an `llm` step. Each `pointer` is relative to the step. */
export function llmFaults(step: LlmStep, checks: RuleChecks, report: Report): void {
  if (step.mode !== 'chat') {
    if (templateReferences(step.prompt).references.length === 0) {
      report('/prompt', messages.noReferences);
    }
    if (step.saveAs === undefined && step.evaluation === undefined) {
      report('/saveAs', messages.notStored);
    }
  }
  if (step.mode !== 'extract') return;
  for (const [name, { input }] of Object.entries(step.fields)) {
    const here = (inside: string, detail: Message) => report(`/fields/${name}/input${inside}`, detail);
    typeOf(input).reportFaults(input, checks, here);
  }
  for (const [key, field] of Object.entries(step.evaluation ?? {})) {
    if (!Object.hasOwn(step.fields, field)) {
      report(`/evaluation/${key}`, messages.noField(field, Object.keys(step.fields).join(', ')));
    }
  }
}
