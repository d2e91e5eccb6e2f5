import { type Edge, EdgeLabelRenderer, type EdgeProps } from '@xyflow/react';
import { memo } from 'react';
import { classes } from '../../../../ui/classes.ts';
import type { DrawnWay } from './drawing.ts';
import { arrowOf, curveOf } from './layout.ts';
import { Clamped } from './map-step.tsx';

export type WayEdge = Edge<
  {
    way: DrawnWay;
    /** As `figureWords` says them. */
    figures: string | undefined;
    /** Whether it begins or ends at the step that is selected. */
    isOfSelected: boolean;
  },
  'way'
>;

const usual = new Set<DrawnWay['kind']>(['next', 'if', 'else']);

/** A way with the words of its condition and its figures. One that is an exception is dashed. */
export const MapWay = memo(function MapWay({ data }: EdgeProps<WayEdge>) {
  if (!data) return null;
  const { way, figures, isOfSelected } = data;
  const { words, label, points } = way;
  return (
    <>
      <path
        d={curveOf(points)}
        strokeDasharray={usual.has(way.kind) ? undefined : '5 4'}
        className={classes(
          'fill-none',
          isOfSelected ? 'stroke-accent stroke-2' : 'stroke-strong-line stroke-[1.5]',
        )}
      />
      <path d={arrowOf(points)} className={isOfSelected ? 'fill-accent' : 'fill-strong-line'} />
      {label && (
        <EdgeLabelRenderer>
          <div
            style={{
              transform: `translate(${label.x}px, ${label.y}px)`,
              width: label.width,
              height: label.height,
            }}
            className={classes(
              'absolute flex flex-col items-center justify-center rounded bg-page px-1 text-center',
              isOfSelected ? 'text-accent' : 'text-quiet',
            )}
          >
            {words && <Clamped lines={words} className="text-xs/4" />}
            {figures !== undefined && (
              <span className="text-xs/4 font-medium whitespace-nowrap text-ink tabular-nums">{figures}</span>
            )}
          </div>
        </EdgeLabelRenderer>
      )}
    </>
  );
});
