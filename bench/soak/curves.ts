/** Values of one quantity, sampled at equal intervals during a run. */
export interface Curve {
  readonly name: string;
  readonly unit: string;
  /** The highest value of each interval: sizes go up and down with collections of garbage and compactions. */
  readonly values: number[];
  /** The increase in the second half of the run that counts as noise, as a fraction of the mean. */
  readonly tolerance: number;
}

export interface RenderedCurves {
  readonly text: string;
  readonly allLevel: boolean;
}

/**
 * Shows the highest value in each quarter of the run, and how much the curve rises in the second half, computed from
 * the line that fits it best. A curve levels off if it does not rise there beyond its noise.
 */
export function renderCurves(curves: readonly Curve[]): RenderedCurves {
  const rows = curves.map(({ name, unit, values, tolerance }) => {
    const rise = riseOf(values.slice(Math.floor(values.length / 2)));
    const title = `${name}${unit === '' ? '' : ` (${unit})`}`;
    return { title, peaks: quarters(values).map((each) => Math.max(...each)), rise, isLevel: rise <= tolerance };
  });
  const columns = ['1st', '2nd', '3rd', '4th', 'rise in the 2nd half'].map((name) => ` ${name.padStart(8)}`);
  const lines = rows.map(({ title, peaks, rise, isLevel }) => {
    const numbers = peaks.map((value) => value.toFixed(1).padStart(9)).join('');
    return `${title.padEnd(40)}${numbers}${`${(rise * 100).toFixed(1)} %`.padStart(21)}  ${isLevel ? 'levels off' : 'GROWS'}`;
  });
  const text = [`${'highest in each quarter'.padEnd(40)}${columns.join('')}`, ...lines].join('\n');
  return { text, allLevel: rows.every(({ isLevel }) => isLevel) };
}

function quarters(values: readonly number[]): number[][] {
  const size = values.length / 4;
  return [0, 1, 2, 3].map((quarter) => values.slice(Math.floor(quarter * size), Math.floor((quarter + 1) * size)));
}

/** The increase from the first to the last value on the least-squares line, as a fraction of the mean of the values. */
function riseOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const middle = (values.length - 1) / 2;
  let covariance = 0;
  let variance = 0;
  for (const [index, value] of values.entries()) {
    covariance += (index - middle) * (value - mean);
    variance += (index - middle) ** 2;
  }
  return variance === 0 || mean === 0 ? 0 : ((covariance / variance) * (values.length - 1)) / mean;
}
