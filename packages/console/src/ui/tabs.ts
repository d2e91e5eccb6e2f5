import { classes } from './classes.ts';

/** The classes of a link to one of several screens about the same thing. */
export const tabClass: string = classes(
  'inline-flex h-9 items-center border-b-2 border-transparent px-1 text-quiet hover:text-ink',
  'aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink',
);
