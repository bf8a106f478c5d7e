import { type CounterSeries, type GaugeSeries, HistogramSeries } from './series.ts';
import type { SeriesFamily } from './series-family.ts';

type AnySeries = CounterSeries | GaugeSeries | HistogramSeries;

/** The lines of one family, empty when it has no series. */
export function renderFamily(family: SeriesFamily<AnySeries>, { isOpenMetrics }: { isOpenMetrics: boolean }): string {
  const { name, help, labels } = family.instrument;
  const { type } = family;
  // In OpenMetrics a counter's name has no suffix, but its samples have one.
  const root = isOpenMetrics && type === 'counter' ? name.replace(/_total$/, '') : name;
  const sampleName = isOpenMetrics && type === 'counter' ? `${root}_total` : name;
  const lines: string[] = [];
  for (const { values, series } of family.all()) {
    const pairs = labels.map((label, index) => `${label}="${escapeValue(values[index]!)}"`).join(',');
    if (series instanceof HistogramSeries) histogramLines(lines, { name, pairs, series, isOpenMetrics });
    else lines.push(`${sampleName}${braced(pairs)} ${numberText(series.value)}`);
  }
  if (lines.length === 0) return '';
  return `# HELP ${root} ${escapeHelp(help, isOpenMetrics)}\n# TYPE ${root} ${type}\n${lines.join('\n')}\n`;
}

interface HistogramText {
  readonly name: string;
  readonly pairs: string;
  readonly series: HistogramSeries;
  readonly isOpenMetrics: boolean;
}

function histogramLines(lines: string[], { name, pairs, series, isOpenMetrics }: HistogramText): void {
  const prefix = `${name}_bucket{${pairs}${pairs === '' ? '' : ','}le="`;
  let total = 0;
  series.bounds.forEach((bound, index) => {
    total += series.counts[index]!;
    lines.push(`${prefix}${boundText(bound, isOpenMetrics)}"} ${total}`);
  });
  total += series.counts[series.bounds.length]!;
  lines.push(`${prefix}+Inf"} ${total}`);
  lines.push(`${name}_sum${braced(pairs)} ${numberText(series.sum)}`);
  lines.push(`${name}_count${braced(pairs)} ${total}`);
}

function braced(pairs: string): string {
  return pairs === '' ? '' : `{${pairs}}`;
}

/** OpenMetrics writes bounds as floating-point numbers. */
function boundText(bound: number, isOpenMetrics: boolean): string {
  return isOpenMetrics && Number.isInteger(bound) && bound < 1e21 ? `${bound}.0` : numberText(bound);
}

function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}

function escapeValue(value: string): string {
  if (!/[\\"\n]/.test(value)) return value;
  return value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
}

function escapeHelp(help: string, isOpenMetrics: boolean): string {
  return isOpenMetrics ? escapeValue(help) : help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n');
}
