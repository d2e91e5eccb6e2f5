import { useTexts } from '../texts/texts.tsx';
import { CopyButton } from './copy.tsx';

/** A secret that is shown only once, with a button that copies it. */
export function ShownOnce({ label, text }: { label: string; text: string }) {
  const { common } = useTexts();
  return (
    <div>
      <p className="text-xs font-medium text-quiet">{label}</p>
      <p className="flex items-center gap-2 rounded-md bg-raised p-2">
        <code className="min-w-0 flex-1 font-mono text-xs break-all">{text}</code>
        <CopyButton text={text} label={`${common.copy}: ${label}`} />
      </p>
    </div>
  );
}
