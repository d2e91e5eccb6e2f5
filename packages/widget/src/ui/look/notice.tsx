import type { ComponentChildren } from 'preact';
import type { ServerFault } from '../../model.ts';
import { Ending } from './brand.tsx';
import { useLanguage } from '../language/language-context.ts';

/** The text of a screen without a question. */
export function Notice(props: {
  icon: ComponentChildren;
  title: string;
  text?: string | undefined;
  serverFault?: ServerFault | undefined;
  /** The conversation is over, or cannot be shown. */
  isEnd?: boolean;
}) {
  return (
    <div class="notice">
      <div class="mark">{props.icon}</div>
      <p class="title">{props.title}</p>
      {props.text !== undefined && <p class="text">{props.text}</p>}
      <Reference of={props.serverFault} />
      {props.isEnd && <Ending />}
    </div>
  );
}

export function Reference(props: { of: ServerFault | undefined }) {
  const { say } = useLanguage();
  const reference = props.of?.reference;
  if (reference === undefined) return null;
  return (
    <span class="reference" translate={false}>
      {say('reference', { id: reference })}
    </span>
  );
}
