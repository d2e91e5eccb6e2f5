import type { LlmStep } from '../definition/format.ts';
import type { RuleChecks } from '../questions/question-type.ts';
import { typeOf } from '../questions/types.ts';
import { templateReferences } from '../text/template.ts';

/** Reports the faults of an `llm` step. Each `pointer` is relative to the step. */
export function llmFaults(
  step: LlmStep,
  checks: RuleChecks,
  report: (pointer: string, detail: string) => void,
): void {
  if (step.mode !== 'chat') {
    if (templateReferences(step.prompt).references.length === 0) {
      report(
        '/prompt',
        'The prompt references no values, so the model gets no data. Add a reference such as {{answers.<id>}}.',
      );
    }
    if (step.saveAs === undefined && step.evaluation === undefined) {
      report('/saveAs', "The model's answer is not stored. Add saveAs or an evaluation key.");
    }
  }
  if (step.mode !== 'extract') return;
  for (const [name, { input }] of Object.entries(step.fields)) {
    const here = (inside: string, detail: string) => report(`/fields/${name}/input${inside}`, detail);
    typeOf(input).reportFaults(input, checks, here);
  }
  for (const [key, field] of Object.entries(step.evaluation ?? {})) {
    if (!Object.hasOwn(step.fields, field)) {
      report(
        `/evaluation/${key}`,
        `There is no field "${field}"; there are ${Object.keys(step.fields).join(', ')}.`,
      );
    }
  }
}
