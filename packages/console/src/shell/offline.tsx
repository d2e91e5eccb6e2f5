import { useOnline } from '../data/online.ts';
import { useLanguage, useTexts } from '../texts/texts.tsx';
import { NotLoaded } from '../ui/part.tsx';

/** Says that the words of the chosen language could not be loaded. Another language is shown. */
export function NoWords() {
  return useLanguage().hasFailed ? <NotLoaded /> : null;
}

/** Says that the browser has no network. Reads wait for it, and continue by themselves. */
export function Offline() {
  const { common } = useTexts();
  const isConnected = useOnline();
  return (
    <div role="status" className="sticky top-0 z-30">
      {!isConnected && (
        <p className="border-b border-warn bg-warn-soft px-4 py-2 text-center font-medium text-warn">
          <span aria-hidden="true">! </span>
          {common.offline}
        </p>
      )}
    </div>
  );
}
