import { type ComponentType, type ReactNode, use } from 'react';
import { whenOnline } from '../data/online.ts';
import { useTexts } from '../texts/texts.tsx';
import { Button } from './forms/button.tsx';

interface Props {
  close?(): void;
}

// `void`: what screens return depends on the types of the router, which has the screens.
type Part<Component> = Component extends (props: infer Own) => void
  ? ((props: Own) => ReactNode) & { preload(): Promise<void> }
  : never;

/**
 * Returns a component of a script that is loaded when it is first shown. A script that is not loaded says so in its
 * place, and what is around it stays. A window, which has `close`, says it above the screen.
 */
export function part<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): Part<Module[Name]> {
  let Shown: ComponentType<Props> | undefined;
  let hasFailed = false;
  let loading: Promise<void> | undefined;
  const preload = (): Promise<void> =>
    (loading ??= whenOnline(load)().then(
      (loaded) => {
        Shown = loaded[name] as ComponentType<Props>;
      },
      () => {
        hasFailed = true;
      },
    ));
  function Part(props: Props): ReactNode {
    if (!Shown && !hasFailed) use(preload());
    return Shown ? <Shown {...props} /> : <NotLoaded close={props.close} />;
  }
  return Object.assign(Part, { preload }) as Part<Module[Name]>;
}

const fields = ['input', 'select', 'textarea', '[contenteditable=true]'];

/** Returns whether the screen or a window has fields, in which something may be typed that is not saved. */
function hasFields(): boolean {
  return document.querySelector(`:is(main, [role=dialog]) :is(${fields.join()})`) !== null;
}

/**
 * Says that a script was not loaded. Browsers keep such a failure until the page is loaded again. That loses what was
 * typed, so it is asked first: the forms around still work.
 */
export function NotLoaded({ close }: { close?: (() => void) | undefined }) {
  const { problems, common } = useTexts();
  const reload = (): void => {
    if (!hasFields() || confirm(problems.reloadLoses)) location.reload();
  };
  return (
    <div
      role="alert"
      className={
        close
          ? 'card fixed inset-x-4 bottom-4 z-50 mx-auto flex max-w-xl flex-wrap items-center gap-3 border-bad p-4 shadow-2xl'
          : 'card flex flex-wrap items-center gap-3 border-bad p-4'
      }
    >
      <p className="min-w-0 flex-[1_1_16rem] font-medium text-bad">{problems.notLoaded}</p>
      <Button onClick={reload}>{problems.reload}</Button>
      {close && <Button onClick={close}>{common.close}</Button>}
    </div>
  );
}
