import type { InitOptions } from './sdk/init-options.ts';
import { init as initWith, type Widget } from './sdk/sdk.ts';

export { connect, type Headless } from './client.ts';
export type { CustomerOptions } from './customer/customer.ts';
export { NobodyError } from './customer/failure.ts';
export type { Answer, Outgoing, Stage, Talk, TalkState, Theme, Waiting } from './model.ts';
export type { InitOptions, WidgetEvents } from './sdk/init-options.ts';
export type { Widget } from './sdk/sdk.ts';
export type { GetCustomerToken } from './customer/session.ts';
export type { GivenStrings } from './ui/language/strings.ts';

/**
 * Sets the widget up: it asks what waits for the customer, and shows it. Its screens are loaded when there is something
 * to show. Throws a TypeError for an invalid base URL, and without a workspace or a function for tokens.
 */
export function init(options: InitOptions): Widget {
  return initWith(options, () => import('./popup.ts'));
}
