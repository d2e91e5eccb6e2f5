import { useQuery } from '@tanstack/react-query';
import { Download, Printer, QrCode } from 'lucide-react';
import { useState } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Button } from '../forms/button.tsx';
import { CopyButton } from '../forms/copy.tsx';
import { Modal } from '../forms/dialog.tsx';
import { saveFile } from '../forms/save-file.ts';
import { Problem } from '../problem.tsx';
import { type QrPicture, readQr } from './qr-picture.ts';
import { SkeletonLines } from '../states.tsx';

interface Code {
  /** Is printed above the code. */
  title: string;
  url: string;
  load(format: 'svg' | 'png'): Promise<Uint8Array>;
}

/** Opens a window with the QR code of a link. */
export function QrButton({ reason, ...code }: Code & { reason?: string | undefined }) {
  const { links: t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button reason={reason} onClick={() => setOpen(true)}>
        <QrCode size={15} aria-hidden="true" />
        {t.qr}
      </Button>
      {isOpen && <QrWindow {...code} close={() => setOpen(false)} />}
    </>
  );
}

function useQr({ url, load }: Code) {
  const { id } = useWorkspace();
  return useQuery({
    queryKey: [id, 'qr', url],
    queryFn: async () => readQr(new TextDecoder().decode(await load('svg'))),
  });
}

/** Shows a link as a QR code. */
export function QrCodeOf(code: Code) {
  const { common } = useTexts();
  const { data, error, refetch } = useQr(code);
  if (data) return <Drawing title={code.title} picture={data} />;
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  return <SkeletonLines label={common.loading} />;
}

function Drawing({ title, picture: { size, dark } }: { title: string; picture: QrPicture }) {
  const { links: t } = useTexts();
  return (
    <svg
      role="img"
      aria-label={t.qrOf(title)}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto w-full max-w-72 bg-white print:max-w-96"
    >
      <path d={dark} fill="black" />
    </svg>
  );
}

/** Shows a link as a QR code. Only the code, its title and its link are printed. */
function QrWindow({ close, ...code }: Code & { close(): void }) {
  const { title, url, load } = code;
  const { links: t, common } = useTexts();
  const { data, error, refetch } = useQr(code);
  const save = async (format: 'svg' | 'png'): Promise<void> => {
    saveFile(`qr.${format}`, new Blob([new Uint8Array(await load(format))]));
  };
  return (
    <Modal title={title} isOpen close={close}>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {!data && !error && <SkeletonLines label={common.loading} />}
      {data && (
        <>
          <figure data-printed className="mb-4">
            <Drawing title={title} picture={data} />
            <figcaption className="mt-2 flex items-center justify-center gap-1 text-xs text-quiet">
              <span className="break-all">{url}</span>
              <CopyButton text={url} label={t.copyUrl} />
            </figcaption>
          </figure>
          <div className="flex flex-wrap justify-end gap-2">
            {(['svg', 'png'] as const).map((format) => (
              <Button key={format} onClick={() => void save(format)}>
                <Download size={15} aria-hidden="true" />
                {format.toUpperCase()}
              </Button>
            ))}
            <Button kind="primary" onClick={() => window.print()}>
              <Printer size={15} aria-hidden="true" />
              {t.print}
            </Button>
          </div>
        </>
      )}
    </Modal>
  );
}
