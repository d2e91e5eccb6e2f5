import { useLayoutEffect, useRef } from 'preact/hooks';
import { useLanguage } from '../../language/language-context.ts';
import type { LoadedField } from '../loaded-field.ts';
import type { FieldProps, QuestionField } from '../question-field.ts';

/** Returns the component of a field that is loaded: its file has a renderer of its own, which fills an element. */
export function island(mount: LoadedField['mount'], unmount: LoadedField['unmount']): QuestionField['Field'] {
  return function Island(props: FieldProps) {
    const language = useLanguage();
    const host = useRef<HTMLDivElement>(null);
    useLayoutEffect(() => {
      if (host.current) mount(host.current, { ...props, language });
    });
    useLayoutEffect(() => {
      const { current } = host;
      return () => {
        if (current) unmount(current);
      };
    }, []);
    return <div class="island" ref={host} />;
  };
}
