import { type CounterSeries, type GaugeSeries, HistogramSeries } from './series.ts';
import type { SeriesFamily } from './series-family.ts';

type AnySeries = CounterSeries | GaugeSeries | HistogramSeries;

/** Yields the lines of one family, series by series. A family without series has no lines. */
export function* renderFamily(
  family: SeriesFamily<AnySeries>,
  { isOpenMetrics }: { isOpenMetrics: boolean },
): Generator<string> {
  const { name, help, labels } = family.instrument;
  const { type } = family;
  // In OpenMetrics a counter's name has no suffix, but its samples have one.
  const root = isOpenMetrics && type === 'counter' ? name.replace(/_total$/, '') : name;
  const sampleName = isOpenMetrics && type === 'counter' ? `${root}_total` : name;
  let isFirst = true;
  for (const { values, series } of family.all()) {
    const pairs = labels.map((label, index) => `${label}="${escapeValue(values[index]!)}"`).join(',');
    if (isFirst)
      yield `# HELP ${root} ${isOpenMetrics ? escapeValue(help) : escapeHelp(help)}\n# TYPE ${root} ${type}\n`;
    isFirst = false;
    if (series instanceof HistogramSeries) yield histogramLines({ name, pairs, series, isOpenMetrics });
    else yield `${sampleName}${braced(pairs)} ${numberText(series.value)}\n`;
  }
}

interface HistogramText {
  readonly name: string;
  readonly pairs: string;
  readonly series: HistogramSeries;
  readonly isOpenMetrics: boolean;
}

function histogramLines({ name, pairs, series, isOpenMetrics }: HistogramText): string {
  const prefix = `${name}_bucket{${pairs}${pairs === '' ? '' : ','}le="`;
  let text = '';
  let total = 0;
  series.bounds.forEach((bound, index) => {
    total += series.counts[index]!;
    text += `${prefix}${isOpenMetrics ? floatText(bound) : numberText(bound)}"} ${total}\n`;
  });
  total += series.counts[series.bounds.length]!;
  text += `${prefix}+Inf"} ${total}\n${name}_sum${braced(pairs)} ${numberText(series.sum)}\n`;
  return `${text}${name}_count${braced(pairs)} ${total}\n`;
}

function braced(pairs: string): string {
  return pairs === '' ? '' : `{${pairs}}`;
}

/** OpenMetrics writes bounds as floating-point numbers. */
function floatText(bound: number): string {
  return Number.isInteger(bound) && bound < 1e21 ? `${bound}.0` : numberText(bound);
}

function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}

function escapeValue(value: string): string {
  if (!/[\\"\n]/.test(value)) return value;
  return value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
}

function escapeHelp(help: string): string {
  return help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n');
}
