'use client';

import { toJson } from '@parley/client/public';
import {
  type ForwardedRef,
  forwardRef,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react';
import {
  type ConversationActions,
  type ConversationOptions,
  type ConversationState,
  createConversation,
  initialConversation,
} from './sdk/conversation.ts';
import { init } from './index.ts';
import type { InitOptions, WidgetEvents } from './sdk/init-options.ts';
import type { Widget } from './sdk/sdk.ts';

export type { ConversationActions, ConversationOptions, ConversationState } from './sdk/conversation.ts';
export type { Answer, Outgoing, Stage, Waiting } from './model.ts';

/** The props of the widget in React: the options of `init`, and a callback for each event. */
export interface ParleyWidgetProps extends InitOptions {
  onAvailable?: ((event: WidgetEvents['available']) => void) | undefined;
  onOpen?: ((event: WidgetEvents['open']) => void) | undefined;
  onClose?: ((event: WidgetEvents['close']) => void) | undefined;
  onStarted?: ((event: WidgetEvents['started']) => void) | undefined;
  onMessage?: ((event: WidgetEvents['message']) => void) | undefined;
  onCompleted?: ((event: WidgetEvents['completed']) => void) | undefined;
  onExpired?: ((event: WidgetEvents['expired']) => void) | undefined;
  onError?: ((event: WidgetEvents['error']) => void) | undefined;
}

/** The `ref` of a `ParleyWidget`. */
export type ParleyWidgetHandle = Pick<Widget, 'check' | 'open' | 'close' | 'logout'>;

/**
 * Shows the widget while it is mounted, and renders nothing where it stands. Functions may change at each render. A
 * change of any other prop sets the widget up again. Give it the customer's id as `key`, so that another customer gets
 * another widget.
 */
export const ParleyWidget = forwardRef(function ParleyWidget(
  props: ParleyWidgetProps,
  ref: ForwardedRef<ParleyWidgetHandle>,
): null {
  const latest = useLatest(props);
  const widget = useRef<Widget | null>(null);
  const { baseUrl, workspaceId, locale, autoOpen, container } = props;
  const strings = toJson(props.strings);
  const theme = toJson(props.theme);

  useEffect(() => {
    const { strings, theme } = latest.current;
    const getCustomerToken = () => latest.current.getCustomerToken();
    const own = init({ baseUrl, workspaceId, getCustomerToken, locale, autoOpen, container, strings, theme });
    widget.current = own;
    own.on('available', (event) => latest.current.onAvailable?.(event));
    own.on('open', (event) => latest.current.onOpen?.(event));
    own.on('close', (event) => latest.current.onClose?.(event));
    own.on('started', (event) => latest.current.onStarted?.(event));
    own.on('message', (event) => latest.current.onMessage?.(event));
    own.on('completed', (event) => latest.current.onCompleted?.(event));
    own.on('expired', (event) => latest.current.onExpired?.(event));
    own.on('error', (event) => latest.current.onError?.(event));
    return () => {
      own.destroy();
      widget.current = null;
    };
  }, [baseUrl, workspaceId, locale, autoOpen, container, strings, theme, latest]);

  useImperativeHandle(ref, () => handleOf(widget), []);
  return null;
});

/**
 * Returns the state of the customer's conversation with the calls on it, for a screen of the page's own. It connects
 * while the component is mounted. Give the component the customer's id as `key`, so that another customer gets another
 * conversation.
 */
export function useConversation(options: ConversationOptions): ConversationState & ConversationActions {
  const latest = useLatest(options);
  const { baseUrl, workspaceId, locale, interactionId } = options;
  const conversation = useMemo(
    () =>
      createConversation({
        baseUrl,
        workspaceId,
        locale,
        interactionId,
        getCustomerToken: () => latest.current.getCustomerToken(),
        onError: (error) => latest.current.onError?.(error),
      }),
    [baseUrl, workspaceId, locale, interactionId, latest],
  );
  const state = useSyncExternalStore(
    conversation.subscribe,
    () => conversation.state,
    () => initialConversation,
  );
  return { ...state, ...conversation.actions };
}

function handleOf(widget: RefObject<Widget | null>): ParleyWidgetHandle {
  return {
    check: async () => (await widget.current?.check()) ?? null,
    open: async (interactionId) => (await widget.current?.open(interactionId)) ?? false,
    close: () => widget.current?.close(),
    logout: () => widget.current?.logout(),
  };
}

/** The value of the latest render, for callbacks that outlive the render that made them. */
function useLatest<Value>(value: Value): RefObject<Value> {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}
