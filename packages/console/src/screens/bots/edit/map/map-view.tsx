import type { Insight } from '@parley/client';
import { stepRows } from '@parley/report/insight';
import { useQuery } from '@tanstack/react-query';
import { ReactFlow, type ReactFlowInstance } from '@xyflow/react';
import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { type FocusEvent, type KeyboardEvent, type RefObject, useMemo, useRef, useState } from 'react';
import { useLiveOptions } from '../../../../data/live.tsx';
import { useWorkspace } from '../../../../data/workspace.tsx';
import { useLanguage, useTexts } from '../../../../texts/texts.tsx';
import { Badge } from '../../../../ui/badge.tsx';
import { Button } from '../../../../ui/forms/button.tsx';
import { SkeletonLines } from '../../../../ui/states.tsx';
import { insightQuery } from '../../insight/insight-query.ts';
import type { Mark } from '../check.ts';
import { marksByStep, none } from '../steps/faults/advice.ts';
import { readSteps, type StepList } from '../steps/fields/step-list.ts';
import { Unreadable } from '../steps/unreadable.tsx';
import { type Drawing, drawingOf } from './drawing.ts';
import { figuredOf, figuresOfWays, leadsOf, type WayFigures } from './figures.ts';
import { MapStep, OpenContext, type StepNode } from './map-step.tsx';
import { MapWay, type WayEdge } from './map-way.tsx';
import { firstView, stepByKey, viewWith } from './view.ts';

interface Props {
  botId: string;
  text: string;
  marks: readonly Mark[];
  /** The step that was opened last. */
  selected: number | undefined;
  /** Opens a step in the list. */
  open(index: number): void;
  /** Shows a place of the text, in UTF-16 units. */
  toSource(offset: number): void;
}

/** The steps of a definition and the ways between them, to look at. A click on a step opens it in the list. */
export function MapView({ text, toSource, ...props }: Props) {
  const list = useMemo(() => readSteps(text), [text]);
  const { isLoading, insight } = useInsight(props.botId);
  const { common } = useTexts();
  if (!list) return <Unreadable marks={props.marks} toSource={toSource} />;
  // The figures need room, and the map must not jump when they come.
  if (isLoading) return <SkeletonLines count={8} label={common.loading} />;
  return <Canvas {...props} list={list} insight={insight} />;
}

type CanvasProps = Omit<Props, 'botId' | 'text' | 'toSource'> & {
  list: StepList;
  insight: Insight | undefined;
};
type Flow = ReactFlowInstance<StepNode, WayEdge>;

function Canvas({ list, marks, selected, open, insight }: CanvasProps) {
  const texts = useTexts();
  const { map: t } = texts.editor;
  const { language } = useLanguage();
  // The figures change every few seconds, the steps and ways that have some seldom.
  const figured = figuredOf(insight).join(' ');
  const drawing = useMemo(
    () => drawingOf(texts, language, list, figured.split(' ')),
    [texts, language, list, figured],
  );
  const frame = useRef<HTMLDivElement>(null);
  const [flow, setFlow] = useState<Flow>();
  const { tabbed, onFocus, onKeyDown } = useKeys(frame, drawing, flow, selected ?? 0);
  const figures = useMemo(
    () => figuresOfWays(texts, language, drawing, insight),
    [texts, language, drawing, insight],
  );
  const nodes = useNodes({ drawing, figures, marks, insight, selected, tabbed });
  const edges = useEdges({ drawing, figures, selected });
  const begin = (instance: Flow): void => {
    setFlow(instance);
    const step = drawing.steps[selected ?? 0] ?? drawing.steps[0];
    if (!step || !frame.current) return;
    const { clientWidth: width, clientHeight: height } = frame.current;
    void instance.setViewport(firstView({ width, height }, drawing, step.box));
  };
  return (
    <div className="space-y-3 p-3">
      <Tools drawing={drawing} flow={flow} hasFigures={insight !== undefined} />
      <div
        ref={frame}
        onFocus={onFocus}
        onKeyDown={onKeyDown}
        style={{ height: `clamp(20rem, ${drawing.height + 50}px, 70vh)` }}
        className="overflow-hidden rounded-md border border-line bg-page"
      >
        <OpenContext value={open}>
          <ReactFlow<StepNode, WayEdge>
            {...readOnly}
            aria-label={t.name}
            nodes={nodes}
            edges={edges}
            nodeTypes={nodeTypes}
            edgeTypes={edgeTypes}
            onInit={begin}
          />
        </OpenContext>
      </div>
    </div>
  );
}

/** The wheel scrolls the page, and no key means something: the steps are buttons. */
const readOnly = {
  minZoom: 0.1,
  maxZoom: 1.5,
  zoomOnScroll: false,
  zoomOnDoubleClick: false,
  preventScrolling: false,
  nodesDraggable: false,
  nodesConnectable: false,
  nodesFocusable: false,
  edgesFocusable: false,
  elementsSelectable: false,
  disableKeyboardA11y: true,
  deleteKeyCode: null,
  selectionKeyCode: null,
  multiSelectionKeyCode: null,
  panActivationKeyCode: null,
  proOptions: { hideAttribution: true },
};

interface ToolsProps {
  drawing: Drawing;
  flow: Flow | undefined;
  hasFigures: boolean;
}

function Tools({ drawing, flow, hasFigures }: ToolsProps) {
  const { map: t } = useTexts().editor;
  const unreached = drawing.steps.filter(({ isReached }) => !isReached).length;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <p className="min-w-0 flex-1 basis-44 text-xs text-quiet">
        {t.about} {hasFigures && t.figuresAbout}
      </p>
      {unreached > 0 && <Badge tone="warn">{t.unreached(unreached)}</Badge>}
      <div className="flex gap-2">
        <Button isSmall aria-label={t.zoomOut} title={t.zoomOut} onClick={() => void flow?.zoomOut()}>
          <ZoomOut size={14} aria-hidden="true" />
        </Button>
        <Button isSmall aria-label={t.zoomIn} title={t.zoomIn} onClick={() => void flow?.zoomIn()}>
          <ZoomIn size={14} aria-hidden="true" />
        </Button>
        <Button isSmall onClick={() => void flow?.fitView({ padding: 0.05 })}>
          <Maximize size={14} aria-hidden="true" />
          {t.whole}
        </Button>
      </div>
    </div>
  );
}

const nodeTypes = { step: MapStep };
const edgeTypes = { way: MapWay };

/** The figures of the last 30 days, for those who may see them. */
function useInsight(botId: string): { isLoading: boolean; insight: Insight | undefined } {
  const workspace = useWorkspace();
  const live = useLiveOptions();
  const mayRead = workspace.can('insight:read');
  const { data, isLoading } = useQuery({ ...insightQuery(workspace, botId, {}), ...live, enabled: mayRead });
  return { isLoading, insight: data && data.totals.created > 0 ? data : undefined };
}

interface EdgeOptions extends Pick<CanvasProps, 'selected'> {
  drawing: Drawing;
  /** Of each way. */
  figures: readonly (WayFigures | undefined)[];
}

interface NodeOptions extends EdgeOptions, Pick<CanvasProps, 'marks' | 'insight'> {
  tabbed: number;
}

function useNodes({ drawing, figures: ofWays, marks, insight, selected, tabbed }: NodeOptions): StepNode[] {
  return useMemo(() => {
    const marked = marksByStep(marks);
    const { rows, most } = stepRows(insight?.steps ?? []);
    const figures = new Map(rows.map(({ step }) => [step.stepId, step]));
    return drawing.steps.map((step): StepNode => {
      const { x, y, width, height } = step.box;
      return {
        id: String(step.index),
        type: 'step',
        position: { x, y },
        width,
        height,
        measured: { width, height },
        domAttributes: { 'aria-roledescription': undefined },
        data: {
          step,
          marks: marked[step.index] ?? none,
          figures: figures.get(step.id),
          leads: leadsOf(step, ofWays),
          most,
          isSelected: step.index === selected,
          isInTabOrder: step.index === Math.min(tabbed, drawing.steps.length - 1),
        },
      };
    });
  }, [drawing, ofWays, marks, insight, selected, tabbed]);
}

function useEdges({ drawing, figures, selected }: EdgeOptions): WayEdge[] {
  return useMemo(
    () =>
      drawing.ways.map((way, index): WayEdge => {
        const isOfSelected = way.from === selected || way.to === selected;
        return {
          id: String(index),
          type: 'way',
          source: String(way.from),
          target: String(way.to),
          // The steps name their ways.
          domAttributes: { 'aria-hidden': true },
          data: { way, figures: figures[index]?.shown, isOfSelected },
        };
      }),
    [drawing, figures, selected],
  );
}

/**
 * Makes the map one stop of the Tab key, in which arrow keys lead from step to step. The step with the focus is in
 * view.
 */
function useKeys(
  frame: RefObject<HTMLDivElement | null>,
  { steps }: Drawing,
  flow: Flow | undefined,
  begin: number,
) {
  const [tabbed, setTabbed] = useState(begin);
  const onFocus = (event: FocusEvent): void => {
    const target = event.target as HTMLElement;
    const step = steps[Number(target.dataset['node'])];
    if (!step) return;
    setTabbed(step.index);
    if (!flow || !frame.current || !target.matches(':focus-visible')) return;
    const { clientWidth: width, clientHeight: height } = frame.current;
    void flow.setViewport(viewWith(flow.getViewport(), { width, height }, step.box));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const from = Number((event.target as HTMLElement).dataset['node']);
    const to = steps[from] && stepByKey(event.key, from, steps.length);
    if (to === undefined) return;
    event.preventDefault();
    frame.current?.querySelector<HTMLElement>(`[data-node="${to}"]`)?.focus({ preventScroll: true });
  };
  return { tabbed, onFocus, onKeyDown };
}
