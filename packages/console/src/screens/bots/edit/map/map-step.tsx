import type { InsightStep } from '@parley/client';
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import {
  AlignLeft,
  Calculator,
  CircleDot,
  CircleHelp,
  Flag,
  Gauge,
  ListChecks,
  ListOrdered,
  type LucideIcon,
  MessageSquare,
  Signpost,
  Sparkles,
  SquareCheck,
  Table2,
  TextCursorInput,
  ThumbsUp,
} from 'lucide-react';
import { createContext, memo, use } from 'react';
import { useTexts } from '../../../../texts/texts.tsx';
import { Badge } from '../../../../ui/badge.tsx';
import { Bar } from '../../../../ui/bar.tsx';
import { classes } from '../../../../ui/classes.ts';
import { useNumbers } from '../../../../ui/time.tsx';
import type { Mark } from '../check.ts';
import type { DrawnStep, Lines } from './drawing.ts';
import { marksBesideReach } from './graph.ts';
import type { Picture } from './picture.ts';

const icons: Record<Picture, LucideIcon> = {
  message: MessageSquare,
  computed: Calculator,
  decision: Signpost,
  end: Flag,
  model: Sparkles,
  question: CircleHelp,
  table: Table2,
  order: ListOrdered,
  several: ListChecks,
  oneOf: CircleDot,
  tick: SquareCheck,
  scale: Gauge,
  either: ThumbsUp,
  lines: AlignLeft,
  line: TextCursorInput,
};

/** A step of the map, with what the drawing does not know. */
export type StepNode = Node<
  {
    step: DrawnStep;
    marks: readonly Mark[];
    figures: InsightStep | undefined;
    /** Where its ways lead, with their figures. */
    leads: string;
    /** The most that any step was seen. */
    most: number;
    isSelected: boolean;
    /** Whether it is the one that the Tab key comes to. */
    isInTabOrder: boolean;
  },
  'step'
>;

/** Opens a step in the list. */
export const OpenContext = createContext<(index: number) => void>(() => {});

/** A step with its picture, its words and its figures. Its parts are as high as the drawing assumes. */
export const MapStep = memo(function MapStep({ data }: NodeProps<StepNode>) {
  const { step, figures, leads, most, isSelected, isInTabOrder } = data;
  const { editor, steps: t } = useTexts();
  const open = use(OpenContext);
  const Icon = icons[step.picture];
  const marks = marksBesideReach(data.marks);
  const errors = marks.filter(({ severity }) => severity === 'error').length;
  return (
    <>
      <Ends />
      <button
        type="button"
        data-node={step.index}
        aria-current={isSelected || undefined}
        tabIndex={isInTabOrder ? 0 : -1}
        onClick={() => open(step.index)}
        className={classes(
          'pointer-events-auto relative flex h-full w-full flex-col border bg-panel px-3 py-2.5 text-left',
          'hover:border-accent',
          step.picture === 'end' ? 'rounded-2xl' : 'rounded-lg',
          step.isReached ? 'border-strong-line' : 'border-dashed border-warn',
          isSelected && 'border-accent ring-2 ring-accent',
        )}
      >
        <span className="flex items-center gap-1.5 text-xs/5 font-medium text-quiet">
          <Icon size={14} aria-hidden="true" className="shrink-0" />
          <span title={step.title} className="truncate">
            {step.title}
          </span>
        </span>
        {step.says && <Clamped lines={step.says} className="mt-1 text-sm/5" />}
        {step.condition && <Clamped lines={step.condition} className="mt-1 text-xs/4 text-quiet" />}
        {step.hasFigures && <Figures figures={figures} most={most} />}
        {leads !== '' && <span className="sr-only">{leads}</span>}
        <span className="absolute -top-2.5 right-2 flex gap-1">
          {!step.isReached && <Badge tone="warn">{editor.map.neverReached}</Badge>}
          {marks.length > 0 && (
            <Badge tone={errors > 0 ? 'bad' : 'warn'}>{t.wrong(errors, marks.length - errors)}</Badge>
          )}
        </span>
      </button>
    </>
  );
});

/** Where ways begin and end. The drawing has their real places, but the library draws no way without them. */
function Ends() {
  return (
    <>
      <Handle type="target" position={Position.Top} isConnectable={false} className="invisible" />
      <Handle type="source" position={Position.Bottom} isConnectable={false} className="invisible" />
    </>
  );
}

function Figures({ figures, most }: Pick<StepNode['data'], 'figures' | 'most'>) {
  const { editor } = useTexts();
  const { count, share } = useNumbers();
  if (!figures) return null;
  const { seen, dropped, dropRate } = figures;
  return (
    <span className="mt-1 block text-xs/4 text-quiet tabular-nums">
      {editor.map.figures(count(seen), dropped === 0 ? undefined : `${count(dropped)} (${share(dropRate)})`)}
      <Bar
        parts={[
          { value: seen - dropped, tone: 'accent' },
          { value: dropped, tone: 'bad' },
        ]}
        most={most}
      />
    </span>
  );
}

const clamps = ['', 'line-clamp-1', 'line-clamp-2', 'line-clamp-3'];

/** A text that ends with an ellipsis where its room ends. */
export function Clamped({ lines: { text, lines }, className }: { lines: Lines; className: string }) {
  return (
    <span title={text} className={classes('wrap-anywhere', clamps[lines], className)}>
      {text}
    </span>
  );
}
