import { joinTabs } from '../page/tabs.ts';

/** A log-out, or the customer of a token that a tab has just got; null for nobody. */
type Message = 'log-out' | { customer: string | null };

/** The tabs of this origin that show a workspace's widget. */
export interface CustomerTabs {
  /** Sends the customer of a token to the other tabs, unless this tab has sent it before; undefined for nobody. */
  announce(customer: string | undefined): void;
  logout(): void;
  close(): void;
}

/**
 * Joins the other tabs. Calls `onLogout` after their log-outs, and `onOtherCustomer` if one of them has another
 * customer than this tab, also for what it has sent before the customer of this tab was known: a token on its way may
 * be of the former one.
 */
export function joinCustomerTabs(
  workspaceId: string,
  listeners: { onLogout: () => void; onOtherCustomer: () => void },
): CustomerTabs {
  let own: string | null | undefined;
  /** The newest message about a customer while this tab has none. */
  let other: string | null | undefined;
  const compare = (): void => {
    if (typeof own !== 'string' || other === undefined) return;
    const isOther = other !== own;
    other = undefined;
    if (isOther) listeners.onOtherCustomer();
  };
  const tabs = joinTabs(workspaceId, (data) => {
    const message = data as Message;
    if (message === 'log-out') return listeners.onLogout();
    other = message.customer;
    compare();
  });
  return {
    announce: (given) => {
      const customer = given ?? null;
      if (customer !== own) tabs.post({ customer } satisfies Message);
      own = customer;
      compare();
    },
    logout: () => tabs.post('log-out' satisfies Message),
    close: tabs.close,
  };
}
