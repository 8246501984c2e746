//! Draws a life cycle: states from top to bottom, one line for each move.
import { type Machine, statesOf, terminalStates } from '@holdfast/contract/machine';

/** One arrow: a move from one of its states. */
interface Arrow {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly isUndo: boolean;
}

interface Box {
  readonly state: string;
  readonly top: number;
  readonly height: number;
  /** Of arrows that leave, then of those that come in. */
  readonly ports: readonly Arrow[];
}

const ROW = 22;
const GAP = 16;
const LANE = 13;
const CHARACTER = 7.3;
const LEFT = 10;

export function stateDiagram(machine: Machine): string {
  const states = statesOf(machine);
  const arrows = Object.entries(machine.moves).flatMap(([name, move]) =>
    move.from.map((from) => ({ name, from, to: move.to, isUndo: move.undo === true })),
  );
  const boxes = layOutBoxes(states, arrows);
  const boxWidth = Math.max(...states.map((state) => state.length)) * CHARACTER + 32;
  const labelWidth = Math.max(0, ...arrows.map(({ name }) => name.length)) * CHARACTER * 0.92 + 24;
  const lanes = assignLanes(arrows, boxes);
  const laneCount = Math.max(0, ...lanes.values()) + 1;
  const right = LEFT + boxWidth;
  const width = right + labelWidth + laneCount * LANE + 16;
  const last = boxes.at(-1) as Box;
  const height = last.top + last.height + 10;
  const laneX = (arrow: Arrow) => right + labelWidth + (lanes.get(arrow) ?? 0) * LANE;
  const ends = terminalStates(machine);
  const kindOf = (state: string) =>
    [
      'state',
      ...(state === machine.initial ? ['start'] : []),
      ...(machine.inFlight.includes(state) ? ['in-flight'] : []),
      ...(ends.includes(state) ? ['end'] : []),
    ].join(' ');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.ceil(width)} ${height}" width="${Math.ceil(width)}" height="${height}" class="states">`,
    STYLE,
    ...arrows.map((arrow) => drawArrow(arrow, boxes, right, laneX(arrow))),
    ...boxes.map((box) => drawBox(box, boxWidth, kindOf(box.state))),
    '</svg>',
    '',
  ].join('\n');
}

/** Colours of its own for where it stands alone; the site gives it those of the page. */
const STYLE = `<style>
.states text { font: 12px ui-monospace, Menlo, Consolas, monospace; fill: var(--drawing-text, #24292f); }
.states .move { font-size: 11px; }
.states .undo text { fill: var(--drawing-faint, #6e7781); }
.states rect { fill: var(--drawing-fill, #f6f8fa); stroke: var(--drawing-line, #8c959f); }
.states .start rect { stroke-width: 2.5; }
.states .in-flight rect { stroke-dasharray: 5 3; }
.states .end rect { fill: var(--drawing-accent, #d8e6f5); }
.states path { fill: none; stroke: var(--drawing-line, #8c959f); }
.states .undo path { stroke-dasharray: 3 3; }
.states .head { fill: var(--drawing-line, #8c959f); stroke: none; }
</style>`;

function layOutBoxes(states: readonly string[], arrows: readonly Arrow[]): Box[] {
  let top = 10;
  return states.map((state) => {
    const ports = [
      ...arrows.filter(({ to }) => to === state),
      ...arrows.filter(({ from }) => from === state),
    ];
    // Arrows that end here share a port, so that a state everything leads to stays small.
    const leaving = arrows.filter(({ from }) => from === state).length;
    const coming = arrows.some(({ to }) => to === state) ? 1 : 0;
    const height = Math.max(1, leaving + coming) * ROW + 10;
    const box = { state, top, height, ports };
    top += height + GAP;
    return box;
  });
}

/** The nearest lane in which no other arrow runs at the same height; one lane for each target. */
function assignLanes(arrows: readonly Arrow[], boxes: readonly Box[]): Map<Arrow, number> {
  const spanOf = (arrow: Arrow): [number, number] => {
    const ends = [leaveAt(arrow, boxes), arriveAt(arrow, boxes)];
    return [Math.min(...ends), Math.max(...ends)];
  };
  const length = (arrow: Arrow) => spanOf(arrow)[1] - spanOf(arrow)[0];
  const taken: { readonly arrow: Arrow; readonly lane: number }[] = [];
  for (const arrow of [...arrows].sort((a, b) => length(a) - length(b))) {
    const [top, bottom] = spanOf(arrow);
    const isFree = (lane: number) =>
      taken.every((one) => {
        if (one.lane !== lane) return true;
        const [itsTop, itsBottom] = spanOf(one.arrow);
        return one.arrow.to === arrow.to || bottom < itsTop - 4 || top > itsBottom + 4;
      });
    let lane = 0;
    while (!isFree(lane)) lane += 1;
    taken.push({ arrow, lane });
  }
  return new Map(taken.map(({ arrow, lane }) => [arrow, lane]));
}

function boxOf(state: string, boxes: readonly Box[]): Box {
  return boxes.find((box) => box.state === state) as Box;
}

function arriveAt({ to }: Arrow, boxes: readonly Box[]): number {
  return boxOf(to, boxes).top + 5 + ROW / 2;
}

function leaveAt(arrow: Arrow, boxes: readonly Box[]): number {
  const { top, ports } = boxOf(arrow.from, boxes);
  const coming = ports.some(({ to }) => to === arrow.from) ? 1 : 0;
  const at = ports.filter(({ from }) => from === arrow.from).indexOf(arrow);
  return top + 5 + (coming + at) * ROW + ROW / 2;
}

function drawBox({ state, top, height }: Box, width: number, kind: string): string {
  const middle = top + height / 2 + 4;
  return `<g class="${kind}"><rect x="${LEFT}" y="${top}" width="${width}" height="${height}" rx="6"/><text x="${LEFT + width / 2}" y="${middle}" text-anchor="middle">${state}</text></g>`;
}

function drawArrow(arrow: Arrow, boxes: readonly Box[], right: number, lane: number): string {
  const [from, to] = [leaveAt(arrow, boxes), arriveAt(arrow, boxes)];
  const radius = to > from ? 6 : -6;
  const path = `M${right} ${from} H${lane - 6} Q${lane} ${from} ${lane} ${from + radius} V${to - radius} Q${lane} ${to} ${lane - 6} ${to} H${right + 7}`;
  const head = `M${right + 1} ${to} l8 -4 v8 z`;
  const group = arrow.isUndo ? ' class="undo"' : '';
  return `<g${group}><path d="${path}"/><path class="head" d="${head}"/><text class="move" x="${right + 8}" y="${from - 4}">${arrow.name}</text></g>`;
}
