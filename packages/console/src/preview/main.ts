import { isGiven, type Given, type PageAnswer, type PreviewMessage } from './messages.ts';

// The page in the frame of the editor: the landing page, whose calls the editor answers. Nothing leaves the browser.

addEventListener('message', ({ data, origin, source }: MessageEvent<unknown>) => {
  if (origin === location.origin && source === parent && isGiven(data)) show(data);
});
say({ isReady: true });

function show({ locale, branding }: Given): void {
  // The page has the language of the browser.
  if (locale !== undefined) Object.defineProperty(navigator, 'language', { value: locale });
  globalThis.fetch = (input, init) => answer(new Request(input, init));
  if (branding !== null) document.head.append(meta('parley-branding', JSON.stringify(branding)));
  const script = document.querySelector<HTMLMetaElement>('meta[name="parley-landing"]')?.content ?? '';
  import(/* @vite-ignore */ script).catch(() => say({ hasFailed: true }));
}

async function answer(request: Request): Promise<Response> {
  const { method, url, headers, signal } = request;
  const body: unknown = method === 'POST' ? await request.json() : undefined;
  signal.throwIfAborted();
  const { port1: port, port2: theirs } = new MessageChannel();
  return new Promise((resolve, reject) => {
    port.addEventListener('message', ({ data: { status, envelope } }: MessageEvent<PageAnswer>) => {
      resolve(Response.json(envelope, { status }));
      port.close();
    });
    port.start();
    signal.addEventListener('abort', () => {
      port.postMessage(null, []);
      reject(signal.reason as Error);
    });
    say({ call: { method, url, authorization: headers.get('authorization'), body } }, theirs);
  });
}

function meta(name: string, content: string): HTMLMetaElement {
  const element = document.createElement('meta');
  element.name = name;
  element.content = content;
  return element;
}

/** Sends the editor a message. It is of the same origin. */
function say(message: PreviewMessage, ...ports: MessagePort[]): void {
  parent.postMessage(message, location.origin, ports);
}
