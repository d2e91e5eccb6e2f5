import { useQuery } from '@tanstack/react-query';
import { Download, Printer, QrCode } from 'lucide-react';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Button } from '../forms/button.tsx';
import { CopyButton } from '../forms/copy.tsx';
import { Modal } from '../forms/dialog.tsx';
import { saveFile } from '../forms/save-file.ts';
import { WindowButton } from '../forms/window-button.tsx';
import { type QrPicture, readQr } from './qr-picture.ts';
import { QueryState } from '../loading.tsx';

interface Code {
  /** Is printed above the code. */
  title: string;
  url: string;
  load(format: 'svg' | 'png'): Promise<Uint8Array>;
}

/** Opens a window with the QR code of a link. */
export function QrButton({ reason, ...code }: Code & { reason?: string | undefined }) {
  const { links: t } = useTexts();
  return (
    <WindowButton reason={reason} window={(close) => <QrWindow {...code} close={close} />}>
      <QrCode size={15} aria-hidden="true" />
      {t.qr}
    </WindowButton>
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
  const query = useQr(code);
  if (query.data) return <Drawing title={code.title} picture={query.data} />;
  return <QueryState query={query} />;
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
  const { links: t } = useTexts();
  const query = useQr(code);
  const { data } = query;
  const save = async (format: 'svg' | 'png'): Promise<void> => {
    saveFile(`qr.${format}`, new Blob([new Uint8Array(await load(format))]));
  };
  return (
    <Modal title={title} close={close}>
      <QueryState query={query} />
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
