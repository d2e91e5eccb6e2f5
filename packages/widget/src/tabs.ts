/** The other tabs of this browser that show the same talk. */
export interface Tabs {
  /** Tells them that the talk has moved on. No word of it is passed: each asks the server. */
  tell(): void;
  close(): void;
}

/** Where the browser refuses a channel, the tabs learn from the server alone. */
export function joinTabs(interactionId: string, onTold: () => void): Tabs {
  try {
    const channel = new BroadcastChannel(`parley:${interactionId}`);
    channel.addEventListener('message', onTold);
    return {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other end to name
      tell: () => channel.postMessage(null),
      close: () => channel.close(),
    };
  } catch {
    return { tell: () => {}, close: () => {} };
  }
}
