import type { ServerDraft } from './begin.ts';

/** What the editor holds: a text, and the version after which it is published. */
export interface Wanted {
  text: string;
  base: number;
  /** Whether it is the text of that version, so that there is nothing to save. */
  isLive: boolean;
}

export type Saving =
  | { kind: 'none' | 'waiting' | 'saving' | 'saved' | 'unreadable' }
  /** Somebody else has published or discarded the draft. */
  | { kind: 'gone' }
  | { kind: 'failed'; error: Error }
  /** `hasOwn`: the own text is not saved. Else somebody else has gone on from it. */
  | { kind: 'conflict'; theirs: ServerDraft; hasOwn: boolean };

/** The ETag of a draft that was saved, and when. */
type Saved = Pick<ServerDraft, 'tag' | 'at'>;

interface Calls {
  /** Without a tag, the draft must not exist. */
  save(definition: Record<string, unknown>, base: number, tag: string | undefined): Promise<Saved>;
  discard(tag: string): Promise<unknown>;
  read(): Promise<ServerDraft | undefined>;
}

export interface SaverOptions {
  calls: Calls;
  /** The ETag of the draft that the text follows. */
  tag: string | undefined;
  /** The id of the person who saves. */
  author: string | undefined;
  /** Marks of the texts that the service may have: they were sent, and no answer has come. */
  sent: readonly string[];
  begin: Saving;
  onState(state: Saving): void;
  /** Called before a text is sent. */
  onSending(): void;
  /** Called when the service has a text, or no draft any more because the text is live. */
  onSaved(text: string): void;
  /** Shows the draft of somebody else, and returns its text. Undefined if something was typed: that is a conflict. */
  onFollow(theirs: ServerDraft): string | undefined;
  /** Called when the draft of this editor was published or discarded by somebody else. */
  onGone(): void;
  delayMs?: number;
  retryMs?: number;
}
