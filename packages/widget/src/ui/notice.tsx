import type { ComponentChildren } from 'preact';
import { Ending } from './brand.tsx';

/** The text of a screen without a question. */
export function Notice(props: {
  icon: ComponentChildren;
  title: string;
  text?: string | undefined;
  /** The conversation is over, or cannot be shown. */
  isEnd?: boolean;
}) {
  return (
    <div class="notice">
      <div class="mark">{props.icon}</div>
      <p class="title">{props.title}</p>
      {props.text !== undefined && <p class="text">{props.text}</p>}
      {props.isEnd && <Ending />}
    </div>
  );
}
