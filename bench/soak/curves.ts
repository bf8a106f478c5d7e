import { median } from '../statistics.ts';

/** What was sampled during a run, in order. */
export interface Curve {
  readonly name: string;
  readonly unit: string;
  readonly values: number[];
  /** By how much the end may be above the middle, as a fraction: noise. */
  readonly tolerance: number;
}

export interface RenderedCurves {
  readonly text: string;
  readonly allLevel: boolean;
}

/**
 * Shows the median of each quarter of the run. A curve levels off if the last one is not above the second one: in the
 * first one caches fill.
 */
export function renderCurves(curves: readonly Curve[]): RenderedCurves {
  const rows = curves.map((curve) => {
    const quarters = quarterMedians(curve.values);
    const isLevel = quarters[3]! <= quarters[1]! * (1 + curve.tolerance);
    return { title: `${curve.name}${curve.unit === '' ? '' : ` (${curve.unit})`}`, quarters, isLevel };
  });
  const head = `${'median of each quarter'.padEnd(40)}${['1st', '2nd', '3rd', '4th'].map((name) => name.padStart(9)).join('')}`;
  const lines = rows.map(({ title, quarters, isLevel }) => {
    const numbers = quarters.map((value) => value.toFixed(1).padStart(9)).join('');
    return `${title.padEnd(40)}${numbers}  ${isLevel ? 'levels off' : 'GROWS'}`;
  });
  return { text: [head, ...lines].join('\n'), allLevel: rows.every(({ isLevel }) => isLevel) };
}

function quarterMedians(values: readonly number[]): number[] {
  const size = values.length / 4;
  return [0, 1, 2, 3].map((quarter) =>
    median(values.slice(Math.floor(quarter * size), Math.floor((quarter + 1) * size))),
  );
}
