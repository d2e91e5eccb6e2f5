/** The other tabs of this browser that show the same conversation. */
export interface Tabs {
  /** Notifies them of a change without content: each asks the server. */
  notify(): void;
  close(): void;
}

/** Without a channel, which the browser may refuse, the tabs only poll the server. */
export function joinTabs(interactionId: string, onNotified: () => void): Tabs {
  try {
    const channel = new BroadcastChannel(`parley:${interactionId}`);
    channel.addEventListener('message', onNotified);
    return {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other end to name
      notify: () => channel.postMessage(null),
      close: () => channel.close(),
    };
  } catch {
    return { notify: () => {}, close: () => {} };
  }
}
