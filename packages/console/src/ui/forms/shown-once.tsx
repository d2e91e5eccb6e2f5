import { useBlocker } from '@tanstack/react-router';
import { useTexts } from '../../texts/texts.tsx';
import { Button } from './button.tsx';
import { CopyButton } from './copy.tsx';

interface Props {
  shown: { label: string; text: string }[];
  close(): void;
}

/** Secrets that are shown only once, until the person says that they are saved. For a window that is held. */
export function ShownOnce({ shown, close }: Props) {
  const { common } = useTexts();
  useBlocker({ shouldBlockFn: () => !window.confirm(common.leaveSecret), enableBeforeUnload: true });
  return (
    <div className="space-y-4">
      {shown.map(({ label, text }) => (
        <div key={label}>
          <p className="text-xs font-medium text-quiet">{label}</p>
          <p className="flex items-center gap-2 rounded-md bg-raised p-2">
            <code className="min-w-0 flex-1 font-mono text-xs break-all">{text}</code>
            <CopyButton text={text} label={`${common.copy}: ${label}`} />
          </p>
        </div>
      ))}
      <div className="flex justify-end">
        <Button kind="primary" onClick={close}>
          {common.savedIt}
        </Button>
      </div>
    </div>
  );
}
