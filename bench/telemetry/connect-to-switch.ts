import { connect } from 'node:net';
import { orders } from './order.ts';

/**
 * Connects to the switch whose port is in the module's URL. Each order is acknowledged by sending it back. Returns the
 * state of the switch.
 */
export function connectToSwitch(moduleUrl: string): { readonly isOn: boolean } {
  const state = { isOn: true };
  const control = connect(Number(new URL(moduleUrl).searchParams.get('port')), '127.0.0.1');
  control.unref().on('data', (order: Buffer) => {
    state.isOn = order[0] === orders.on;
    control.write(order);
  });
  return state;
}
