import { type Customer, type CustomerOptions, connectCustomer } from './customer.ts';
import type { Talk, Waiting } from './model.ts';
import { createTalk } from './talk.ts';

export type { Answer, Outgoing, Stage, Talk, TalkState, Waiting } from './model.ts';

/** What a customer has here, without any screen. */
export interface Headless extends Pick<Customer, 'check' | 'end'> {
  /** Makes a talk: subscribe to follow it, dispose of it when it is not needed any more. */
  talk(waiting: Pick<Waiting, 'interactionId' | 'botName'>): Talk;
}

/** For pages with a screen of their own: what waits for the customer, and the talks. `end` ends these, too. */
export function connect(options: CustomerOptions): Headless {
  const talks = new Set<Talk>();
  const disposeOfTalks = (): void => {
    for (const talk of talks) talk.dispose();
    talks.clear();
  };
  const { session, page, check, end } = connectCustomer({
    ...options,
    onOtherCustomer: (token) => {
      disposeOfTalks();
      options.onOtherCustomer(token);
    },
  });
  return {
    check,
    talk: ({ interactionId, botName }) => {
      const { onError } = options;
      const talk = createTalk({ session, page, interactionId, botName, resumes: true, onError });
      talks.add(talk);
      return talk;
    },
    end: () => {
      end();
      disposeOfTalks();
    },
  };
}
