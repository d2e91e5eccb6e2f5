import { Copy } from 'lucide-react';
import { useTexts } from '../../texts/texts.tsx';
import { useToast } from '../toast.tsx';

export function CopyButton({ text, label }: { text: string; label: string }) {
  const { common } = useTexts();
  const toast = useToast();
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className="inline-flex size-7 shrink-0 items-center justify-center rounded hover:bg-raised"
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => toast(common.copied));
      }}
    >
      <Copy size={14} aria-hidden="true" />
    </button>
  );
}
