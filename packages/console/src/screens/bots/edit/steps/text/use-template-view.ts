import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { useTexts } from '../../../../../texts/texts.tsx';
import { useOutline } from '../fields/editing.tsx';
import { useStable } from '../use-stable.ts';
import type { Placeholder } from './placeholders.ts';
import { type ChipWords, type TemplateEvents, TemplateView } from './template-view.ts';

interface Options extends TemplateEvents {
  text: string;
  isOpen: boolean;
  wordsOf(placeholder: Placeholder): ChipWords;
  /** `from`: where the placeholder of the chip is. */
  press(from: number): void;
}

/** Shows a text with its chips in the place of `host`, once it is open. */
export function useTemplateView(host: RefObject<HTMLElement | null>, options: Options) {
  const { text, isOpen, wordsOf, press, ...events } = options;
  const view = useRef<TemplateView>(undefined);
  const stable = useStable(events);
  useLayoutEffect(() => {
    if (!isOpen || !host.current) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const opened = new TemplateView(root, text, { wordsOf, press }, stable);
    view.current = opened;
    return () => {
      view.current = undefined;
      opened.editor.destroy();
    };
  }, [isOpen, stable]);
  useLayoutEffect(() => view.current?.show(text), [text]);
  useEffect(() => view.current?.relabel({ wordsOf, press }), [wordsOf]);
  return view;
}

/** Returns the words of chips: what the question asks, not the name of the value. */
export function useChipWords(): (placeholder: Placeholder) => ChipWords {
  const { steps: t } = useTexts();
  const { values } = useOutline();
  return useMemo(() => {
    const labels = new Map(values.map(({ name, label }) => [name, label]));
    return ({ name, fallback }) => {
      const words = labels.get(name) ?? name;
      return { words, name: fallback === '' ? words : t.chip(words, fallback), isKnown: labels.has(name) };
    };
  }, [values, t]);
}
