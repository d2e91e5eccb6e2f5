import { type Customer, type CustomerOptions, connectCustomer } from './customer/customer.ts';
import type { Talk, Waiting } from './model.ts';
import { createTalk } from './conversation/talk.ts';

export type { Answer, Outgoing, Stage, Talk, TalkState, Waiting } from './model.ts';

/** The customer's state on this page, without any screen. */
export interface Headless extends Pick<Customer, 'check' | 'end' | 'logout'> {
  /**
   * Returns a conversation: subscribe to follow it, and dispose of it afterwards. Throws a `NobodyError` after `end`,
   * and when the page's token was for another customer.
   */
  talk(waiting: Pick<Waiting, 'interactionId'> & Partial<Pick<Waiting, 'botName'>>): Talk;
}

/**
 * For pages with their own screen: the interaction that waits for the customer, and the conversations. `end` and
 * `logout` end these, too.
 */
export function connect(options: CustomerOptions): Headless {
  const { session, signal, page, check, end, logout } = connectCustomer(options);
  return {
    check,
    talk: ({ interactionId, botName }) => {
      signal.throwIfAborted();
      const { locale, onError } = options;
      return createTalk({ session, signal, page, interactionId, botName, locale, resumes: true, onError });
    },
    end,
    logout,
  };
}
