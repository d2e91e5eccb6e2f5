import { type Customer, type CustomerOptions, connectCustomer } from './customer.ts';
import type { Talk, Waiting } from './model.ts';
import { createTalk } from './talk.ts';

export type { Answer, Outgoing, Stage, Talk, TalkState, Waiting } from './model.ts';

/** What a customer has here, without any screen. */
export interface Headless extends Pick<Customer, 'check' | 'end'> {
  /**
   * Returns a talk: subscribe to follow it, and dispose of it afterwards. Throws a `NobodyError` after `end`, and
   * once the page's token was for somebody else.
   */
  talk(waiting: Pick<Waiting, 'interactionId'> & Partial<Pick<Waiting, 'botName'>>): Talk;
}

/** For pages with a screen of their own: what waits for the customer, and the talks. `end` ends these, too. */
export function connect(options: CustomerOptions): Headless {
  const { session, signal, page, check, end } = connectCustomer(options);
  return {
    check,
    talk: ({ interactionId, botName }) => {
      signal.throwIfAborted();
      const { locale, onError } = options;
      return createTalk({ session, signal, page, interactionId, botName, locale, resumes: true, onError });
    },
    end,
  };
}
