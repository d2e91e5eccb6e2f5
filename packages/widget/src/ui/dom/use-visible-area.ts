import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** Keeps a panel that covers the page above a phone's keyboard, which does not change the size of the page. */
export function useVisibleArea(panel: RefObject<HTMLElement | null>, isActive: boolean): void {
  useLayoutEffect(() => {
    const element = panel.current;
    const area = window.visualViewport;
    if (!isActive || element === null || area === null) return undefined;
    const fit = () => {
      element.style.setProperty('--area-top', `${area.offsetTop}px`);
      element.style.setProperty('--area-height', `${area.height}px`);
    };
    fit();
    area.addEventListener('resize', fit);
    area.addEventListener('scroll', fit);
    return () => {
      area.removeEventListener('resize', fit);
      area.removeEventListener('scroll', fit);
      element.style.removeProperty('--area-top');
      element.style.removeProperty('--area-height');
    };
  }, [panel, isActive]);
}
