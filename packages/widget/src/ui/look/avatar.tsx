import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import { BrandContext } from './brand.tsx';
import { ChatIcon } from './icons.tsx';

/** The picture of the bot: the workspace's logo, or the product's mark. */
export function Avatar() {
  const { logo } = useContext(BrandContext);
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!logo || !context) return;
    context.clearRect(0, 0, logo.width, logo.height);
    context.drawImage(logo, 0, 0);
  }, [logo]);
  return (
    <div class={logo === undefined ? 'avatar' : 'avatar logo'} aria-hidden="true">
      {logo === undefined ? <ChatIcon /> : <canvas ref={canvas} width={logo.width} height={logo.height} />}
    </div>
  );
}
