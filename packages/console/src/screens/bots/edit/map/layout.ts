import { Graph, layout } from '@dagrejs/dagre';

export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

/** A rectangle by its upper left corner, in pixels at full size. */
export type Box = Point & Size;

/** Where steps and ways are. Boxes and points are in the order in which they were given. */
export interface Layout extends Size {
  steps: Box[];
  /** The points through which a way goes, and the box of its label. */
  ways: { points: Point[]; label: Box | undefined }[];
}

interface GivenWay {
  from: number;
  to: number;
  label: Size | undefined;
}

/** Places steps from top to bottom, each below the steps that lead to it, so that nothing overlaps. */
export function layOut(steps: readonly Size[], ways: readonly GivenWay[]): Layout {
  if (steps.length === 0) return { width: 0, height: 0, steps: [], ways: [] };
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 32, edgesep: 20, ranksep: 44 });
  steps.forEach((step, index) =>
    graph.setNode(
      String(index),
      withLoops(
        step,
        ways.filter(({ from, to }) => from === index && to === index),
      ),
    ),
  );
  ways.forEach(({ from, to, label }, index) => {
    if (from !== to) graph.setEdge(String(from), String(to), { ...label, labelpos: 'c' }, String(index));
  });
  // Not near the places of the last call, which may have been for another bot.
  layout(graph, { useDynamic: false });
  const { width = 0, height = 0 } = graph.graph();
  const boxes = steps.map((size, index) => boxOf(graph.node(String(index)), size));
  const placed: Layout = {
    width: Math.ceil(width),
    height: Math.ceil(height),
    steps: boxes,
    ways: ways.map((way, index) => {
      const { from, to, label } = way;
      const [start, end] = [boxes[from], boxes[to]];
      if (!start || !end) return { points: [], label: undefined };
      if (start === end) return loopOf(start, way, ways);
      const edge = graph.edge(String(from), String(to), String(index));
      const between = (edge.points ?? []).slice(1, -1);
      const [first = end, last = start] = [between[0], between.at(-1)];
      const points = [borderOf(start, first), ...between, borderOf(end, last)];
      return { points, label: label && boxOf(edge, label) };
    }),
  };
  return isMirrored(boxes) ? mirrored(placed) : placed;
}

/** Returns where a way that comes from a point, or leads there, meets the upper or the lower border of a step. */
function borderOf({ x, y, width, height }: Box, point: Point): Point {
  const inset = 20;
  return {
    x: Math.min(x + width - inset, Math.max(x + inset, point.x)),
    y: point.y < y + height / 2 ? y : y + height,
  };
}

/** Whether steps beside each other are mostly in the reverse of their order, which nobody reads. */
function isMirrored(boxes: readonly Box[]): boolean {
  const before = boxes.flatMap((one, index) =>
    boxes
      .slice(index + 1)
      .filter((other) => one.y < other.y + other.height && other.y < one.y + one.height)
      .map((other) => Math.sign(other.x - one.x)),
  );
  return before.reduce((sum, sign) => sum + sign, 0) < 0;
}

function mirrored({ width, height, steps, ways }: Layout): Layout {
  const flip = <Given extends Point>(given: Given, size = 0): Given => ({
    ...given,
    x: width - given.x - size,
  });
  return {
    width,
    height,
    steps: steps.map((box) => flip(box, box.width)),
    ways: ways.map(({ points, label }) => ({
      points: points.map((point) => flip(point)),
      label: label && flip(label, label.width),
    })),
  };
}

/** How far a way from a step to itself leads away, and how high it is at least. */
const loopWidth = 28;
const loopHeight = 28;

function heightOfLoop({ label }: GivenWay): number {
  return Math.max(loopHeight, (label?.height ?? 0) + 4);
}

/** Returns the size of a step with room at its side for the ways to itself. The step is in the middle. */
function withLoops({ width, height }: Size, loops: readonly GivenWay[]): Size {
  if (loops.length === 0) return { width, height };
  const beside = loopWidth + Math.max(...loops.map(({ label }) => label?.width ?? 0));
  const heights = loops.reduce((sum, loop) => sum + heightOfLoop(loop), 0);
  return { width: width + 2 * beside, height: Math.max(height, heights) };
}

/** Returns the place of a way from a step to itself, at the right of the step, below those before it. */
function loopOf(step: Box, way: GivenWay, ways: readonly GivenWay[]): Layout['ways'][number] {
  const loops = ways.filter(({ from, to }) => from === way.from && to === way.from);
  const heights = loops.map(heightOfLoop);
  const above = heights.slice(0, loops.indexOf(way)).reduce((sum, height) => sum + height, 0);
  const all = heights.reduce((sum, height) => sum + height, 0);
  const y = step.y + step.height / 2 - all / 2 + above + heightOfLoop(way) / 2;
  const right = step.x + step.width;
  const out = right + loopWidth - 6;
  const inside = (at: number): number => Math.min(step.y + step.height - 8, Math.max(step.y + 8, at));
  const { label } = way;
  return {
    points: [
      { x: right, y: inside(y - 8) },
      { x: out, y: y - 8 },
      { x: out, y: y + 8 },
      { x: right, y: inside(y + 8) },
    ],
    label: label && { ...label, x: right + loopWidth, y: Math.round(y - label.height / 2) },
  };
}

function boxOf({ x = 0, y = 0 }: Partial<Point>, { width, height }: Size): Box {
  return { x: Math.round(x - width / 2), y: Math.round(y - height / 2), width, height };
}

/** Returns a curve through points, as the `d` of an SVG path. */
export function curveOf([first, ...rest]: readonly Point[]): string {
  const last = rest.at(-1);
  if (!first || !last) return '';
  const bends = rest.slice(0, -1).map((point, index) => {
    const next = rest[index + 1] ?? last;
    const end = index === rest.length - 2 ? next : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${said(point)} ${said(end)}`;
  });
  return `M${said(first)} ${bends.length > 0 ? bends.join(' ') : `L${said(last)}`}`;
}

const arrowLength = 8;
const arrowHalf = 4;

/** Returns the head of an arrow at the last of the points, as the `d` of an SVG path. */
export function arrowOf(points: readonly Point[]): string {
  const [before, tip] = points.slice(-2);
  if (!before || !tip) return '';
  const length = Math.hypot(tip.x - before.x, tip.y - before.y) || 1;
  const along = { x: (tip.x - before.x) / length, y: (tip.y - before.y) / length };
  const side = (by: number): Point => ({
    x: tip.x - along.x * arrowLength - along.y * by,
    y: tip.y - along.y * arrowLength + along.x * by,
  });
  return `M${said(tip)} L${said(side(arrowHalf))} L${said(side(-arrowHalf))} Z`;
}

function said({ x, y }: Point): string {
  return `${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}`;
}
