import { useId, useState } from 'preact/hooks';
import type { Outgoing, Talk } from '../model.ts';
import { type Draft, draftOf, hintOf, type Input, readDraft } from './draft.ts';
import { Field } from './fields/field.tsx';
import { SendIcon } from './icons.tsx';
import { useLanguage } from './language-context.ts';
import type { Language } from './language.ts';

/** Types whose field leaves no room beside it. */
const blocks = new Set<Input['type']>(['choice', 'multiChoice', 'yesNo', 'nps', 'rating', 'longText']);

/**
 * Where the customer answers one question. What is answered stays here until the server has it. `kept` is what a composer
 * of the same question held before; `onKeep` tells what this one holds.
 */
export function Composer(props: {
  input: Input;
  talk: Talk;
  outgoing: Outgoing | undefined;
  questionId: string;
  kept: Draft | undefined;
  onKeep(draft: Draft | undefined): void;
}) {
  const { input, talk, outgoing, questionId, kept, onKeep } = props;
  const language = useLanguage();
  const { say } = language;
  const id = useId();
  const [draft, setDraft] = useState<{ value: Draft }>({
    value: draftIn(outgoing, language) ?? kept ?? draftOf(input.prefill, language),
  });
  const [fault, setFault] = useState<'empty' | 'invalid'>();
  const isBusy = outgoing !== undefined && outgoing.state !== 'refused';
  const hint = hintOf(input, language);
  const problem = fault === undefined ? refusalOf(outgoing, hint, language) : faultOf(fault, hint, language);

  const change = (value: Draft) => {
    // Drawn anew also without a change: the field has to show again what is on its way.
    setDraft({ value: isBusy ? draft.value : value });
    if (isBusy) return;
    onKeep(value);
    setFault(undefined);
    if (outgoing !== undefined) talk.clearRefusal();
  };
  // By the click that is made for Enter, too: a sandbox without `allow-forms` suppresses the form's submission. Where it does
  // not, a submission that something else has asked for (a password manager) must not load the page anew.
  const submit = (event: Event) => {
    event.preventDefault();
    if (outgoing?.state === 'waiting') return talk.retry();
    if (isBusy) return;
    const read = readDraft(input, draft.value, language);
    if ('fault' in read) return setFault(read.fault);
    setFault(undefined);
    onKeep(undefined);
    talk.send(read.answer, read.words);
  };
  const skip = () => {
    if (isBusy) return;
    onKeep(undefined);
    talk.send({ skip: true }, say('skip'));
  };

  const isBlock = blocks.has(input.type);
  const label = say(
    outgoing?.state === 'sending' ? 'sending' : outgoing?.state === 'waiting' ? 'retry' : 'send',
  );
  return (
    <form class={isBlock ? 'composer block' : 'composer'} noValidate onSubmit={submit}>
      {hint !== '' && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <Field
        input={input}
        draft={draft.value}
        onDraft={change}
        isBusy={isBusy}
        name={id}
        aria={{
          'aria-labelledby': questionId,
          'aria-describedby': `${id}-hint ${id}-note`,
          'aria-invalid': problem !== '',
          'aria-required': input.required,
        }}
      />
      <button
        class={`primary send ${outgoing?.state ?? ''}`}
        type="submit"
        onClick={submit}
        aria-disabled={outgoing?.state === 'sending'}
        aria-label={label}
      >
        {isBlock || outgoing?.state === 'waiting' ? label : <SendIcon />}
      </button>
      {!input.required && (
        <button class="plain skip" type="button" aria-disabled={isBusy} onClick={skip}>
          {say('skip')}
        </button>
      )}
      <p class={problem === '' ? 'note' : 'note problem'} id={`${id}-note`} role="status">
        {outgoing?.state === 'waiting' ? say('waiting') : problem}
      </p>
    </form>
  );
}

/** What a field showed when it was sent; undefined if nothing was, or by words that fit no field. */
function draftIn(outgoing: Outgoing | undefined, language: Language): Draft | undefined {
  if (outgoing === undefined || 'skip' in outgoing.answer) return undefined;
  return 'text' in outgoing.answer ? outgoing.answer.text : draftOf(outgoing.answer.value, language);
}

function faultOf(fault: 'empty' | 'invalid', hint: string, { say }: Language): string {
  return `${say(fault === 'empty' ? 'empty' : 'check')} ${hint}`.trim();
}

// The server's words are English.
function refusalOf(outgoing: Outgoing | undefined, hint: string, { say, ownTag }: Language): string {
  if (outgoing?.state !== 'refused') return '';
  if (outgoing.refusal === 'moved-on') return say('movedOn');
  if (outgoing.refusal === 'failed') return say('failed');
  return ownTag === 'en' && outgoing.reason !== undefined
    ? outgoing.reason
    : `${say('check')} ${hint}`.trim();
}
