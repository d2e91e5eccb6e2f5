import { joinTabs } from './tabs.ts';

/** A log-out, or the customer of a token that a tab has just got; null for nobody. */
type Message = 'log-out' | { customer: string | null };

/** The tabs of this origin that show a workspace's widget. */
export interface CustomerTabs {
  /** Sends the customer of a token to the other tabs, unless this tab has sent it before; undefined for nobody. */
  announce(customer: string | undefined): void;
  /** Sends a log-out to the other tabs. */
  logout(): void;
  close(): void;
}

/** Joins the other tabs, and calls the listeners after their log-outs and for their customers. */
export function joinCustomerTabs(
  workspaceId: string,
  listeners: { onLogout: () => void; onCustomer: (customer: string | undefined) => void },
): CustomerTabs {
  let announced: string | null | undefined;
  const tabs = joinTabs(workspaceId, (data) => {
    const message = data as Message;
    if (message === 'log-out') listeners.onLogout();
    else listeners.onCustomer(message.customer ?? undefined);
  });
  return {
    announce: (given) => {
      const customer = given ?? null;
      if (customer !== announced) tabs.post({ customer } satisfies Message);
      announced = customer;
    },
    logout: () => tabs.post('log-out' satisfies Message),
    close: tabs.close,
  };
}
