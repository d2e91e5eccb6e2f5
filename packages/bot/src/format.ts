/** Text in the definition's language, or one per language tag (the definition's own among them). */
export type LocalText = string | Record<string, string>;

/** The step after this one: an id, or the first arm whose condition holds, `else` being the last. */
export type Next = string | Arm[];
export type Arm = { if: string; goto: string } | { else: string };

export type Choice = { value: string; label: LocalText };

/** What an `ask` step accepts. The published JSON Schema documents every option and default. */
export type InputRule =
  | { type: 'text' | 'longText'; minLength?: number; maxLength?: number; pattern?: string }
  | { type: 'choice'; choices: Choice[] }
  | { type: 'multiChoice'; choices: Choice[]; minSelections?: number; maxSelections?: number }
  | { type: 'nps'; labels?: { low: LocalText; high: LocalText } }
  | { type: 'rating'; max?: number; labels?: { low: LocalText; high: LocalText } }
  | { type: 'number'; min?: number; max?: number; integer?: boolean }
  | { type: 'yesNo'; labels?: { yes: LocalText; no: LocalText } }
  | { type: 'date' | 'time'; min?: string; max?: string }
  | { type: 'email' | 'phone' | 'url' };

type StepBase = { id: string; when?: string };
export type SayStep = StepBase & { kind: 'say'; text: LocalText; next?: Next };
export type AskStep = StepBase & {
  kind: 'ask';
  text: LocalText;
  input: InputRule;
  next?: Next;
  required?: boolean;
  evaluation?: string;
  pii?: boolean;
  prefill?: string;
  retry?: { text: LocalText; max?: number; goto?: string };
};
export type SetStep = StepBase & { kind: 'set'; evaluation: Record<string, string>; next?: Next };
export type BranchStep = StepBase & { kind: 'branch'; next: Arm[] };
export type EndStep = StepBase & { kind: 'end'; text?: LocalText };

type LlmBase = StepBase & {
  kind: 'llm';
  /** Says what to do, and names all that the model may see. */
  prompt: string;
  /** The name under `answers` of what comes of it. */
  saveAs?: string;
  pii?: boolean;
  /** Where the talk goes on without an answer that fits. */
  onError: { goto: string };
  next?: Next;
};
export type ClassifyStep = LlmBase & { mode: 'classify'; labels: string[]; evaluation?: string };
export type ExtractStep = LlmBase & {
  mode: 'extract';
  /** By name; known as `answers.<saveAs>.<name>`. */
  fields: Record<string, { description?: string; input: InputRule }>;
  /** Names of fields, by evaluation key. */
  evaluation?: Record<string, string>;
};
export type SummariseStep = LlmBase & { mode: 'summarise'; evaluation?: string };
export type ChatStep = LlmBase & { mode: 'chat'; maxTurns?: number; evaluation?: string };
/** A step that a language model answers, in a form that the step gives. */
export type LlmStep = ClassifyStep | ExtractStep | SummariseStep | ChatStep;

export type Step = SayStep | AskStep | SetStep | BranchStep | LlmStep | EndStep;

/** A bot, version 1 of the format. Treat it as frozen: what is derived from it is remembered by identity. */
export type BotDefinition = {
  $schema?: string;
  schemaVersion: 1;
  key: string;
  name: string;
  description?: string;
  type: string;
  typeLabel?: string;
  locale?: string;
  context?: { name: string; default?: string }[];
  evaluation?: Record<string, { pii?: boolean }>;
  steps: Step[];
};

/** One thing wrong with a definition: a JSON pointer into it ("" is the whole) and a sentence for its author. */
export type BotFault = { pointer: string; detail: string };
