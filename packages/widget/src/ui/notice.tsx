import type { ComponentChildren } from 'preact';

/** What a screen says when there is no question to answer. */
export function Notice(props: { icon: ComponentChildren; title: string; text?: string | undefined }) {
  return (
    <div class="notice">
      <div class="mark">{props.icon}</div>
      <p class="title">{props.title}</p>
      {props.text !== undefined && <p class="text">{props.text}</p>}
    </div>
  );
}
