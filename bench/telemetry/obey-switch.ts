import { connect } from 'node:net';
import { orders } from './order.ts';

/** Obeys the switch whose port the URL of a module names. One order at a time, answered with itself when it is done. */
export function obeySwitch(moduleUrl: string): { readonly isOn: boolean } {
  const state = { isOn: true };
  const control = connect(Number(new URL(moduleUrl).searchParams.get('port')), '127.0.0.1');
  control.unref().on('data', (order: Buffer) => {
    state.isOn = order[0] === orders.on;
    control.write(order);
  });
  return state;
}
