import { afterEach, describe, expect, it, vi } from 'vitest';
import { createStore } from './store.ts';

interface Light {
  colour: string;
  isOn: boolean;
}

const red: Light = { colour: 'red', isOn: false };

afterEach(() => void vi.unstubAllGlobals());

describe('a store', () => {
  it('notifies of each change once, with the former state, and not without a change', () => {
    const changes: [Light, Light][] = [];
    const light = createStore(red, (state, former) => changes.push([state, former]));
    let heard = 0;
    light.subscribe(() => (heard += 1));
    light.set({ colour: 'red' });
    light.set({});
    light.set({ isOn: true, colour: 'red' });
    expect(changes).toEqual([[{ colour: 'red', isOn: true }, red]]);
    expect(heard).toBe(1);
    expect(light.state).toBe(changes[0]?.[0]);
  });

  it('is active while it has subscribers, one of which may subscribe twice', () => {
    const light = createStore(red);
    let heard = 0;
    const listen = () => void (heard += 1);
    expect(light.hasSubscribers).toBe(false);
    const [endOne, endOther] = [light.subscribe(listen), light.subscribe(listen)];
    light.set({ isOn: true });
    expect(heard).toBe(2);
    endOne();
    endOne();
    expect(light.hasSubscribers).toBe(true);
    endOther();
    expect(light.hasSubscribers).toBe(false);
    light.set({ isOn: false });
    expect(heard).toBe(2);
  });

  it('notifies the others although one of them throws', () => {
    const report = vi.fn<(error: unknown) => void>();
    vi.stubGlobal('reportError', report);
    const mine = new Error('of the page');
    const refuse = (): never => {
      throw mine;
    };
    const light = createStore(red, refuse);
    let heard = 0;
    light.subscribe(refuse);
    light.subscribe(() => (heard += 1));
    light.set({ isOn: true });
    expect(heard).toBe(1);
    expect(report.mock.calls).toEqual([[mine], [mine]]);
  });

  it('does not change after its end, and notifies nobody', () => {
    const light = createStore(red, () => expect.fail('it has changed'));
    light.subscribe(() => expect.fail('it has changed'));
    light.end();
    light.set({ isOn: true });
    expect([light.state, light.hasSubscribers]).toEqual([red, false]);
  });
});
