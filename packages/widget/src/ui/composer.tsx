import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Outgoing, Talk } from '../model.ts';
import { type Draft, draftOf, hintOf, type Input, readDraft } from './draft.ts';
import { Field } from './fields/field.tsx';
import { focusedIn, focusFirst } from './focus.ts';
import { SendIcon } from './icons.tsx';
import { useLanguage } from './language-context.ts';
import type { Language } from './language.ts';
import { type Strings, strings } from './strings.ts';

/** Types that one press answers. */
const presses = new Set<Input['type']>(['choice', 'yesNo', 'nps', 'rating']);

/** What a field is called that is typed into. */
const labels: Partial<Record<Input['type'], keyof Strings>> = {
  text: 'answerLabel',
  longText: 'answerLabel',
  email: 'emailLabel',
  phone: 'phoneLabel',
  url: 'urlLabel',
  number: 'numberLabel',
  date: 'dateLabel',
  time: 'timeLabel',
};

/**
 * Where the customer answers one question. A refused answer is in it again. `kept` is what a composer of the same
 * question held before; `onKeep` receives what this one holds.
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
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    // From its button back to what has to be changed.
    if (problem !== '' && form.current && focusedIn(form.current)) focusFirst(form.current);
  }, [problem]);

  const change = (value: Draft) => {
    // Drawn again also without a change: a checkbox has to show again what is on its way.
    setDraft({ value: isBusy ? draft.value : value });
    if (isBusy) return;
    onKeep(value);
    setFault(undefined);
    if (outgoing !== undefined) talk.clearRefusal();
  };
  const send = (value: Draft) => {
    if (isBusy) return;
    const read = readDraft(input, value, language);
    if ('fault' in read) return setFault(read.fault);
    setDraft({ value });
    setFault(undefined);
    onKeep(undefined);
    talk.send(read.answer, read.words);
  };
  // By the click that is made for Enter, too: a sandbox without `allow-forms` suppresses the form's submission. Where
  // it does not, a submission that something else has asked for (a password manager) must not reload the page.
  const submit = (event: Event) => {
    event.preventDefault();
    send(draft.value);
  };
  const skip = () => {
    if (isBusy) return;
    onKeep(undefined);
    talk.send({ skip: true }, say('skipped'));
  };

  const label = labels[input.type];
  const isPressed = presses.has(input.type);
  const isWide = input.type === 'multiChoice' || input.type === 'longText';
  return (
    <form class={isBusy ? 'composer busy' : 'composer'} noValidate ref={form} onSubmit={submit}>
      {(label !== undefined || hint !== '') && (
        <div class="above">
          {label !== undefined && (
            <label id={`${id}-label`} for={`${id}-field`}>
              {say(label)}
            </label>
          )}
          <span class="hint" id={`${id}-hint`}>
            {hint}
          </span>
          {input.type === 'longText' && (
            <kbd>{isMac() ? say('ctrlEnter').replace(/^\S+/, '⌘') : say('ctrlEnter')}</kbd>
          )}
        </div>
      )}
      <Field
        input={input}
        // What was typed is in the transcript as soon as it is sent.
        draft={isBusy && label !== undefined ? '' : draft.value}
        onDraft={change}
        onAnswer={send}
        isBusy={isBusy}
        name={id}
        aria={{
          'aria-labelledby': questionId,
          'aria-describedby': `${id}-hint ${id}-note`,
          'aria-invalid': problem !== '',
          'aria-required': input.required,
        }}
      />
      {!isPressed && (
        <button
          class={isWide ? 'primary send wide' : 'primary send'}
          type="submit"
          onClick={submit}
          aria-disabled={isBusy || 'fault' in readDraft(input, draft.value, language)}
          aria-label={isWide ? undefined : say('send')}
        >
          {isWide ? say('send') : <SendIcon />}
        </button>
      )}
      {!input.required && (
        <button class="plain skip" type="button" aria-disabled={isBusy} onClick={skip}>
          {say('skip')}
        </button>
      )}
      <p class={problem === '' ? 'note' : 'note problem'} id={`${id}-note`} role="status">
        {problem}
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

// The server speaks the widget's languages. In a language that only the page has words for, these are less out of
// place.
function refusalOf(outgoing: Outgoing | undefined, hint: string, { say, ownTag }: Language): string {
  if (outgoing?.state !== 'refused') return '';
  if (outgoing.refusal === 'moved-on') return say('movedOn');
  if (outgoing.refusal === 'failed') return say('failed');
  return (Object.hasOwn(strings, ownTag) && outgoing.reason) || `${say('check')} ${hint}`.trim();
}

function isMac(): boolean {
  return /Mac|iP/.test(navigator.platform);
}
