/** What was sampled during a run, in order. */
export interface Curve {
  readonly name: string;
  readonly unit: string;
  readonly values: number[];
  /** By how much the end may be higher than before, as a fraction: noise. */
  readonly tolerance: number;
}

export interface RenderedCurves {
  readonly text: string;
  readonly allLevel: boolean;
}

/**
 * Shows the highest value in each quarter of the run. A curve levels off if the last quarter goes no higher than those
 * before it: sizes go up and down with collections of garbage and compactions.
 */
export function renderCurves(curves: readonly Curve[]): RenderedCurves {
  const rows = curves.map((curve) => {
    const peaks = quarters(curve.values).map((values) => Math.max(...values));
    const isLevel = peaks[3]! <= Math.max(...peaks.slice(0, 3)) * (1 + curve.tolerance);
    return { title: `${curve.name}${curve.unit === '' ? '' : ` (${curve.unit})`}`, peaks, isLevel };
  });
  const columns = ['1st', '2nd', '3rd', '4th'].map((name) => name.padStart(9));
  const lines = rows.map(({ title, peaks, isLevel }) => {
    const numbers = peaks.map((value) => value.toFixed(1).padStart(9)).join('');
    return `${title.padEnd(40)}${numbers}  ${isLevel ? 'levels off' : 'GROWS'}`;
  });
  const text = [`${'highest in each quarter'.padEnd(40)}${columns.join('')}`, ...lines].join('\n');
  return { text, allLevel: rows.every(({ isLevel }) => isLevel) };
}

function quarters(values: readonly number[]): number[][] {
  const size = values.length / 4;
  return [0, 1, 2, 3].map((quarter) => values.slice(Math.floor(quarter * size), Math.floor((quarter + 1) * size)));
}
