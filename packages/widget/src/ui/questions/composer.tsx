import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Outgoing, ServerFault, Talk } from '../../model.ts';
import { type Draft, draftOf, type Input } from './draft.ts';
import { fieldOf } from './types.ts';
import { focusedIn, focusFirst } from '../dom/focus.ts';
import { SendIcon } from '../look/icons.tsx';
import { useLanguage } from '../language/language-context.ts';
import type { WidgetLanguage } from '../language/language.ts';
import { Reference } from '../look/notice.tsx';
import { type Strings, strings } from '../language/strings.ts';

interface ComposerProps {
  input: Input;
  talk: Talk;
  outgoing: Outgoing | undefined;
  serverFault: ServerFault | undefined;
  questionId: string;
  /** The draft of an earlier composer of the same question. */
  kept: Draft | undefined;
  onKeep(draft: Draft | undefined): void;
}

/** The form for the answer to one question. It shows a rejected answer again. */
export function Composer(props: ComposerProps) {
  const { input, questionId, outgoing, serverFault } = props;
  const language = useLanguage();
  const { say } = language;
  const id = useId();
  const { label, sentBy, hasLines, Field, readDraft, hintOf } = fieldOf(input);
  const hint = hintOf(input, language);
  const { draft, isBusy, problem, change, send, skip } = useAnswer(props, hint, language);
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    // Moves the focus from the button to the faulty field.
    if (problem !== '' && form.current && focusedIn(form.current)) focusFirst(form.current);
  }, [problem]);

  // Also for the click event of Enter: a sandbox without `allow-forms` suppresses the submit event. Otherwise a submit
  // from elsewhere (a password manager) must not reload the page.
  const submit = (event: Event) => {
    event.preventDefault();
    send(draft);
  };
  return (
    <form class={isBusy ? 'composer busy' : 'composer'} noValidate ref={form} onSubmit={submit}>
      <Above id={id} label={label} hint={hint} isLong={hasLines} />
      <Field
        input={input}
        // The transcript has a typed answer as soon as it is sent.
        draft={isBusy && label !== null ? '' : draft}
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
      {sentBy !== 'press' && (
        <SendButton
          isWide={sentBy === 'wideButton'}
          isDisabled={isBusy || 'fault' in readDraft(input, draft, language)}
          onSend={submit}
        />
      )}
      {!input.required && (
        <button class="plain skip" type="button" aria-disabled={isBusy} onClick={skip}>
          {say('skip')}
        </button>
      )}
      <p class={problem === '' ? 'note' : 'note problem'} id={`${id}-note`} role="status">
        {problem}
        {outgoing?.refusal === 'failed' && <Reference of={serverFault} />}
      </p>
    </form>
  );
}

/** The draft of an answer with its problem, and the functions that change and send it. */
function useAnswer(
  { input, talk, outgoing, kept, onKeep }: ComposerProps,
  hint: string,
  language: WidgetLanguage,
) {
  const [draft, setDraft] = useState<{ value: Draft }>({
    value: draftIn(outgoing, language) ?? kept ?? draftOf(input.prefill, language),
  });
  const [fault, setFault] = useState<'empty' | 'invalid'>();
  const isBusy = outgoing !== undefined && outgoing.state !== 'refused';
  return {
    draft: draft.value,
    isBusy,
    problem: fault === undefined ? refusalOf(outgoing, hint, language) : faultOf(fault, hint, language),
    change(value: Draft) {
      // A new object without a change renders again: a checkbox has to show the pending answer again.
      setDraft({ value: isBusy ? draft.value : value });
      if (isBusy) return;
      onKeep(value);
      setFault(undefined);
      if (outgoing !== undefined) talk.clearRefusal();
    },
    send(value: Draft) {
      if (isBusy) return;
      const { readDraft, label } = fieldOf(input);
      const read = readDraft(input, value, language);
      if ('fault' in read) return setFault(read.fault);
      setDraft({ value });
      setFault(undefined);
      // A bot that does not understand typed words asks again: the customer corrects them.
      onKeep(label === null ? undefined : value);
      talk.send(read.answer, read.words);
    },
    skip() {
      if (isBusy) return;
      onKeep(undefined);
      talk.send({ skip: true }, language.say('skipped'));
    },
  };
}

function Above(props: { id: string; label: keyof Strings | null; hint: string; isLong: boolean }) {
  const { id, label, hint, isLong } = props;
  const { say } = useLanguage();
  if (label === null && hint === '') return null;
  return (
    <div class="above">
      {label !== null && (
        <label id={`${id}-label`} for={`${id}-field`}>
          {say(label)}
        </label>
      )}
      <span class="hint" id={`${id}-hint`}>
        {hint}
      </span>
      {isLong && <kbd>{isMac() ? say('ctrlEnter').replace(/^\S+/, '⌘') : say('ctrlEnter')}</kbd>}
    </div>
  );
}

function SendButton(props: { isWide: boolean; isDisabled: boolean; onSend: (event: Event) => void }) {
  const { isWide, isDisabled, onSend } = props;
  const { say } = useLanguage();
  return (
    <button
      class={isWide ? 'primary send wide' : 'primary send'}
      type="submit"
      onClick={onSend}
      aria-disabled={isDisabled}
      aria-label={isWide ? undefined : say('send')}
    >
      {isWide ? say('send') : <SendIcon />}
    </button>
  );
}

/** Returns the content of a field when it was sent; undefined for none, or for words that fit no field. */
function draftIn(outgoing: Outgoing | undefined, language: WidgetLanguage): Draft | undefined {
  if (outgoing === undefined || 'skip' in outgoing.answer) return undefined;
  return 'text' in outgoing.answer ? outgoing.answer.text : draftOf(outgoing.answer.value, language);
}

function faultOf(fault: 'empty' | 'invalid', hint: string, { say }: WidgetLanguage): string {
  return `${say(fault === 'empty' ? 'empty' : 'check')} ${hint}`.trim();
}

// The server has texts in the widget's languages. For another language, the page's own texts fit better.
function refusalOf(outgoing: Outgoing | undefined, hint: string, { say, ownTag }: WidgetLanguage): string {
  if (outgoing?.state !== 'refused') return '';
  if (outgoing.refusal === 'moved-on') return say('movedOn');
  if (outgoing.refusal === 'failed') return say('failed');
  return (Object.hasOwn(strings, ownTag) && outgoing.reason) || `${say('check')} ${hint}`.trim();
}

function isMac(): boolean {
  return /Mac|iP/.test(navigator.platform);
}
