import { typeOf } from '../questions/types.ts';
import type { CelExpressions } from '../expressions/cel.ts';
import type { CelType } from '../expressions/cel-types.ts';
import { customerFields } from '../plan/conversation.ts';
import { faultsMax } from '@parley/runtime/zod-faults';
import type { AskStep, LlmStep, LocalText, Step } from '../definition/format.ts';
import { patternsMax } from '../questions/parts/written-text.ts';
import type { Report, RuleChecks } from '../questions/question-type.ts';
import { reportLanguage } from '../text/language-faults.ts';
import { outputsOf } from '../plan/outputs.ts';
import { armsOf, targetsOf } from '../definition/transitions.ts';
import type { ValidParts } from './schema-faults.ts';
import { conversationExpressions } from '../plan/conversation-expressions.ts';
import { expressionsOf } from '../definition/expressions.ts';
import type { Slices } from '../bounds/slices.ts';
import { templateReferences } from '../text/template.ts';
import { type Message, type MessageFault, messages } from '../text/messages.ts';

/**
 * Returns the faults of names and expressions: duplicate ids and saved names; targets, context properties, answers and
 * evaluation keys that do not exist; texts without the definition's language; expressions that cannot work. Stops after
 * a step with which there are `faultsMax`. `expressions` is undefined if the context properties could not be read.
 */
export function* nameFaults(
  parts: ValidParts,
): Slices<{ faults: MessageFault[]; expressions: CelExpressions | undefined }> {
  const faults: MessageFault[] = [];
  const report: Report = (pointer, detail) => faults.push({ pointer, detail });
  const known = new Map<string, string>();
  for (const { id, pointer } of parts.ids) {
    const first = known.get(id);
    if (first === undefined) known.set(id, pointer);
    else report(`${pointer}/id`, messages.idTaken(id, first));
  }
  const ids = new Set(known.keys());
  const declared = new Set(parts.context);
  const evaluation = new Set(parts.evaluation);
  parts.context?.forEach((name, index, names) => {
    if (names.indexOf(name) === index) return;
    report(`/context/${index}/name`, messages.declaredTwice(name));
  });
  for (const { pointer, saveAs } of parts.ids) {
    if (saveAs === undefined) continue;
    const first = known.get(saveAs);
    if (first === undefined) known.set(saveAs, pointer);
    else if (first !== pointer) report(`${pointer}/saveAs`, messages.nameTaken(saveAs, first));
  }
  const answers = answersOf(parts);
  // Expressions are checked only if the context properties are known.
  const expressions =
    parts.context && conversationExpressions(answers, parts.context, othersOf(parts), parts.evaluation);

  const checks: RuleChecks = { locale: parts.locale, patternsLeft: patternsMax };

  for (const { step, pointer } of parts.steps) {
    const here: Report = (inside, detail) => report(pointer + inside, detail);
    for (const target of targetsOf(step)) {
      if (!ids.has(target.id)) here(target.pointer, messages.noStep(target.id));
    }
    reportArms(step, here);
    for (const [inside, key] of evaluationKeys(step)) {
      if (parts.evaluation !== undefined && !evaluation.has(key)) {
        here(inside, messages.noKey(key));
      }
    }
    for (const [inside, template] of templates(step, parts.locale, here)) {
      const names = { context: parts.context && declared, evaluation: parts.evaluation && evaluation };
      reportReferences(template, names, answers, (detail) => here(inside, detail));
    }
    if (step.kind === 'ask') reportQuestion(step, checks, here);
    if (step.kind === 'llm') reportModel(step, checks, here);
    for (const { pointer: inside, expression, wanted } of expressionsOf(step)) {
      const detail = expressions?.fault(expression, wanted);
      if (detail !== undefined) here(inside, detail);
      yield;
    }
    if (faults.length >= faultsMax) break;
    yield;
  }
  return { faults, expressions };
}

function reportQuestion({ input, prefill }: AskStep, checks: RuleChecks, report: Report): void {
  const type = typeOf(input);
  type.reportFaults(input, checks, (inside, detail) => report(`/input${inside}`, detail));
  if (prefill !== undefined && !type.takesPrefill) {
    report('/prefill', messages.noPrefill(type.name));
  }
}

/** Reports the faults of an `llm` step. Each `pointer` is relative to the step. */
function reportModel(step: LlmStep, checks: RuleChecks, report: Report): void {
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
    const here: Report = (inside, detail) => report(`/fields/${name}/input${inside}`, detail);
    typeOf(input).reportFaults(input, checks, here);
  }
  for (const [key, field] of Object.entries(step.evaluation ?? {})) {
    if (!Object.hasOwn(step.fields, field)) {
      report(`/evaluation/${key}`, messages.noField(field, Object.keys(step.fields).join(', ')));
    }
  }
}

/** Returns the types of `answers` by name. A faulty step may add any of its names. */
function answersOf(parts: ValidParts): Map<string, CelType> {
  const answers = new Map<string, CelType>();
  const sound = new Set(parts.steps.map(({ pointer }) => pointer));
  for (const { id, pointer, saveAs } of parts.ids) {
    if (sound.has(pointer)) continue;
    answers.set(id, 'dyn');
    if (saveAs !== undefined) answers.set(saveAs, 'dyn');
  }
  for (const { name, rule } of parts.steps.flatMap(({ step }) => outputsOf(step))) {
    if (name !== undefined) answers.set(name, typeOf(rule).celType(rule));
  }
  return answers;
}

/** Returns the names under `others`. A faulty step may add any of its names. */
function othersOf(parts: ValidParts): string[] {
  const sound = new Set(parts.steps.map(({ pointer }) => pointer));
  const faulty = parts.ids.filter(({ pointer }) => !sound.has(pointer));
  const known = parts.steps.flatMap(({ step }) => outputsOf(step));
  return [
    ...faulty.flatMap(({ id, saveAs }) => (saveAs === undefined ? [id] : [id, saveAs])),
    ...known.flatMap(({ name, rule }) =>
      name !== undefined && typeOf(rule).ownWordsMax(rule) > 0 ? [name] : [],
    ),
  ];
}

function reportArms(step: Step, report: Report): void {
  const arms = armsOf(step);
  arms.forEach((arm, index) => {
    if ('else' in arm && index < arms.length - 1) report(`/next/${index}`, messages.lastElse);
  });
  const last = arms.at(-1);
  if (last !== undefined && !('else' in last)) report('/next', messages.noElse);
}

function evaluationKeys(step: Step): [pointer: string, key: string][] {
  if (!('evaluation' in step) || step.evaluation === undefined) return [];
  if (typeof step.evaluation === 'string') return [['/evaluation', step.evaluation]];
  return Object.keys(step.evaluation).map((key) => [`/evaluation/${key}`, key]);
}

function templates(
  step: Step,
  locale: string | undefined,
  report: Report,
): [pointer: string, template: string][] {
  const found: [string, string][] = [];
  const add = (pointer: string, text: LocalText | undefined) => {
    if (text === undefined) return;
    reportLanguage(text, locale, (detail) => report(pointer, detail));
    if (typeof text === 'string') found.push([pointer, text]);
    else for (const [tag, wording] of Object.entries(text)) found.push([`${pointer}/${tag}`, wording]);
  };
  if ('text' in step) add('/text', step.text);
  if (step.kind === 'llm') add('/prompt', step.prompt);
  if (step.kind === 'ask') {
    add('/prefill', step.prefill);
    add('/retry/text', step.retry?.text);
  }
  return found;
}

function reportReferences(
  template: string,
  { context, evaluation }: Record<'context' | 'evaluation', ReadonlySet<string> | undefined>,
  answers: ReadonlyMap<string, CelType>,
  report: (detail: Message) => void,
): void {
  const { references, malformed } = templateReferences(template);
  for (const text of malformed) {
    report(messages.malformed(text));
  }
  for (const { source, name } of references) {
    const [base = ''] = name.split('.');
    if (source === 'customer' && !customerFields.some((field) => field === name)) {
      report(messages.noCustomerField(name, customerFields.join(', ')));
    } else if (source === 'context' && context !== undefined && !context.has(name)) {
      report(messages.noContext(name));
    } else if (source === 'evaluation' && evaluation !== undefined && !evaluation.has(name)) {
      report(messages.noKey(name));
    } else if (source === 'answers' && !answers.has(name) && answers.get(base) !== 'dyn') {
      report(messages.noAnswer(name));
    }
  }
}
