/** The other tabs of this browser that have joined the same channel. */
export interface Tabs {
  /** Sends a message to them; it can be cloned. */
  post(message: unknown): void;
  close(): void;
}

/** Joins the tabs of this origin with the same id. The browser may refuse it a channel: it then receives nothing. */
export function joinTabs(id: string, onMessage: (message: unknown) => void): Tabs {
  try {
    const channel = new BroadcastChannel(`parley:${id}`);
    channel.addEventListener('message', ({ data }) => onMessage(data));
    return {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other end to name
      post: (message) => channel.postMessage(message),
      close: () => channel.close(),
    };
  } catch {
    return { post: () => {}, close: () => {} };
  }
}
