import { ParleyError } from '@parley/client';
import { definitionIn, isOwnSave, markOf, sameJson, type ServerDraft } from './begin.ts';
import type { Saving, SaverOptions, Wanted } from './saving.ts';

/** How many texts without an answer are remembered. */
const sentMax = 20;

/**
 * Saves the newest text as the draft, at the latest `delayMs` after it has changed, one call at a time. It repeats what
 * fails for a while, and stops at a conflict until somebody decides.
 */
export class Saver {
  readonly #options: Required<SaverOptions>;
  #state: Saving;
  #tag: string | undefined;
  #savedAt: string | undefined;
  #flushed: string | undefined;
  /** The text of somebody else that the editor shows because nothing was typed in it. */
  #followed: string | undefined;
  #wanted: Wanted | undefined;
  #done: Wanted | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | undefined;
  #sent: readonly string[];

  constructor(options: SaverOptions) {
    this.#options = { delayMs: 1_000, retryMs: 5_000, ...options };
    this.#state = options.begin;
    this.#tag = options.tag;
    this.#sent = options.sent;
  }

  /** The ETag of the draft that the text follows. */
  get tag(): string | undefined {
    return this.#tag;
  }

  /** When this editor has saved last. */
  get savedAt(): string | undefined {
    return this.#savedAt;
  }

  get sent(): readonly string[] {
    return this.#sent;
  }

  /** Whether the service has, or may have, a draft of this editor. */
  get hasDraft(): boolean {
    return this.#tag !== undefined || this.#sent.length > 0;
  }

  /** Whether the draft was flushed as it is: a publication of this editor may have removed it. */
  get isFlushed(): boolean {
    return this.#tag !== undefined && this.#tag === this.#flushed;
  }

  change(next: Wanted): void {
    if (this.#wanted === undefined && next.text === this.#followed) return;
    this.#wanted = next;
    if (this.#state.kind === 'conflict') {
      if (!this.#state.hasOwn) this.#set({ ...this.#state, hasOwn: true });
      return;
    }
    // What is typed is saved soon, also while a failed call would wait for longer.
    if (this.#state.kind === 'failed') this.#endTimer();
    // A state with every key would keep React from ever being done: it ends such updates with an error.
    if (this.#state.kind !== 'waiting') this.#set({ kind: 'waiting' });
    this.#schedule(this.#options.delayMs);
  }

  /** Tries again at once, such as after a sign-in. */
  retry(): void {
    if (this.#state.kind === 'failed') void this.#run();
  }

  /** Resolves to the ETag once the newest text is saved. Rejects with the reason why it is not. */
  async flush(): Promise<string | undefined> {
    for (let tries = 0; tries < 3 && this.#wanted !== this.#done; tries += 1) await this.#run();
    const state = this.#state;
    if (state.kind === 'failed') throw state.error;
    if (this.#wanted !== this.#done || state.kind === 'conflict') throw new Error('the text is not saved');
    this.#flushed = this.#tag;
    return this.#tag;
  }

  /** Decides a conflict for the own text. */
  overwrite(own: Wanted): void {
    if (this.#state.kind !== 'conflict') return;
    this.#wanted = own;
    this.#tag = this.#state.theirs.tag;
    this.#done = undefined;
    this.#set({ kind: 'waiting' });
    void this.#run();
  }

  /** Notes that the draft of the last `flush` was published. What has changed since begins the next one. */
  published(text: string): void {
    if (this.#tag === this.#flushed) this.#tag = undefined;
    if (this.#wanted && this.#wanted.text !== text) return;
    this.stop();
    this.#set({ kind: 'none' });
  }

  /** Shows a draft that somebody else has saved. It replaces a text in which nothing was typed. */
  meet(theirs: ServerDraft): void {
    if (this.#running || theirs.tag === this.#tag) return;
    if (this.#wanted && sameJson(definitionIn(this.#wanted.text), theirs.definition)) {
      this.#tag = theirs.tag;
    } else if (!this.#follow(theirs)) {
      this.#set({ kind: 'conflict', theirs, hasOwn: this.#wanted !== this.#done });
    }
  }

  /** Notes that the draft with this ETag is gone. A text that is not saved begins the next one. */
  lose(tag: string): void {
    if (this.#running || tag !== this.#tag || this.isFlushed) return;
    this.#tag = undefined;
    this.#options.onGone();
    if (this.#wanted === this.#done) return this.#set({ kind: 'gone' });
    this.#set({ kind: 'waiting' });
    this.#schedule(this.#options.delayMs);
  }

  /** Ends without what still waits. */
  stop(): void {
    this.#endTimer();
    this.#done = this.#wanted;
  }

  /** Removes the draft, unless somebody else has saved it since. */
  async discard(): Promise<void> {
    this.stop();
    await this.#running;
    // Its end has scheduled what was typed meanwhile.
    this.stop();
    if (this.#state.kind === 'conflict') return;
    try {
      await this.#discardOwn();
    } catch (error) {
      // A text whose answer was lost may be there. What the service has is opened next.
      if (this.#tag !== undefined) throw error;
      this.#sent = [];
    }
  }

  /** Saves what still waits, and ends. */
  close(): void {
    if (this.#timer !== undefined) void this.#run();
  }

  #follow(theirs: ServerDraft): boolean {
    if (this.#wanted !== undefined || this.#state.kind === 'conflict') return false;
    const text = this.#options.onFollow(theirs);
    if (text === undefined) return false;
    this.#followed = text;
    this.#tag = theirs.tag;
    this.#set({ kind: 'saved' });
    return true;
  }

  #set(next: Saving): void {
    this.#state = next;
    this.#options.onState(next);
  }

  #schedule(ms: number): void {
    if (this.#timer === undefined && this.#running === undefined) {
      this.#timer = setTimeout(() => void this.#run(), ms);
    }
  }

  #endTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #run(): Promise<void> {
    this.#endTimer();
    this.#running ??= this.#save().finally(() => {
      this.#running = undefined;
      if (this.#wanted === this.#done) return;
      if (this.#state.kind === 'waiting') this.#schedule(this.#options.delayMs);
      if (this.#state.kind === 'failed' && isPassing(this.#state.error))
        this.#schedule(this.#options.retryMs);
    });
    return this.#running;
  }

  async #save(): Promise<void> {
    const job = this.#wanted;
    if (!job || job === this.#done || this.#state.kind === 'conflict') return;
    if (job.isLive && !this.hasDraft) return this.#finish(job);
    const definition = definitionIn(job.text);
    if (!definition) return this.#set({ kind: 'unreadable' });
    this.#set({ kind: 'saving' });
    try {
      if (job.isLive) await this.#discardOwn();
      else await this.#send(definition, job.base);
      this.#finish(job);
    } catch (error) {
      await this.#fail(job, definition, error instanceof Error ? error : new Error(String(error)));
    }
  }

  #finish(job: Wanted): void {
    this.#options.onSaved(job.text);
    this.#end(job, { kind: job.isLive ? 'none' : 'saved' });
  }

  async #send(definition: Record<string, unknown>, base: number): Promise<void> {
    const mark = markOf(definition);
    this.#sent = [...this.#sent.filter((one) => one !== mark), mark].slice(-sentMax);
    this.#options.onSending();
    // A failure of any status leaves the marks: the client may have repeated a call whose answer was lost.
    const { tag, at } = await this.#options.calls.save(definition, base, this.#tag);
    this.#tag = tag;
    this.#savedAt = at;
    this.#sent = [];
  }

  /** A text that has changed meanwhile still waits. */
  #end(job: Wanted, next: Saving): void {
    this.#done = job;
    this.#set(this.#wanted === job ? next : { kind: 'waiting' });
  }

  async #fail(job: Wanted, own: Record<string, unknown>, error: Error): Promise<void> {
    if (!isStatus(error, 412)) return this.#set({ kind: 'failed', error });
    try {
      const theirs = await this.#options.calls.read();
      this.#tag = theirs?.tag;
      // It was published or discarded: this text begins the next one.
      if (!theirs) {
        this.#options.onGone();
        return this.#set({ kind: 'waiting' });
      }
      const isSame = sameJson(own, theirs.definition);
      const isOwn = isOwnSave(theirs, { by: this.#options.author, sent: this.#sent });
      // Whatever was sent, the service has this one. What has an older tag cannot replace it any more.
      this.#sent = [];
      // The answer to an earlier text was lost: this one follows it.
      if (isOwn && !isSame) return this.#set({ kind: 'waiting' });
      if (!isSame) return this.#set({ kind: 'conflict', theirs, hasOwn: true });
      this.#options.onSaved(job.text);
      this.#end(job, { kind: 'saved' });
    } catch (reason) {
      this.#set({ kind: 'failed', error: reason instanceof Error ? reason : error });
    }
  }

  async #discardOwn(): Promise<void> {
    const tag = this.#tag;
    this.#tag = undefined;
    try {
      if (tag !== undefined) await this.#options.calls.discard(tag);
    } catch (error) {
      // It is gone, or another one was saved. One of somebody else stays.
      if (!isStatus(error, 404) && !isStatus(error, 412)) {
        this.#tag = tag;
        throw error;
      }
    }
    await this.#discardSent();
  }

  /** Discards the draft if it is a text whose answer was lost. */
  async #discardSent(): Promise<void> {
    if (this.#sent.length === 0) return;
    const { calls, author } = this.#options;
    const draft = await calls.read();
    if (draft && isOwnSave(draft, { by: author, sent: this.#sent })) await calls.discard(draft.tag);
    this.#sent = [];
  }
}

function isStatus(error: unknown, status: number): boolean {
  return error instanceof ParleyError && error.status === status;
}

/** Returns whether a call may succeed later. Without a session it waits for the sign-in. */
function isPassing(error: Error): boolean {
  if (!(error instanceof ParleyError)) return true;
  const { status = 503 } = error;
  return status === 408 || status === 429 || status >= 500;
}
