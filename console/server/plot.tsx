import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import { theme } from '../state/theme.ts';

export interface PlotProps {
  readonly title: string;
  /** Seconds. */
  readonly times: readonly number[];
  readonly series: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
  readonly format: (value: number) => string;
}

const colours = ['--plot-0', '--plot-1', '--plot-2', '--plot-3', '--plot-4', '--plot-5'];

/** Shows lines over time. The newest values are also shown as text. */
export function Plot({ title, times, series, format }: PlotProps) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const names = series.map(({ name }) => name).join('\n');
  const data = useRef<uPlot.AlignedData>([[]]);
  data.current = [times as number[], ...series.map(({ values }) => values as (number | null)[])];
  useEffect(() => {
    let isCurrent = true;
    const element = host.current!;
    const observer = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height: 150 }));
    import('uplot').then(({ default: UPlot }) => {
      if (!isCurrent) return;
      plot.current = new UPlot(options(element, { count: series.length, format }), data.current, element);
      observer.observe(element);
    });
    return () => {
      isCurrent = false;
      observer.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [names, theme.value]);
  useEffect(() => plot.current?.setData(data.current), [times]);
  return (
    <figure class="card plot">
      <figcaption>
        <h2>{title}</h2>
        <ul class="plot-legend">
          {series.map(({ name, values }, index) => {
            const last = values.findLast((value) => value !== null);
            return (
              <li key={name}>
                <span class={`plot-dot plot-dot-${index % colours.length}`} aria-hidden="true" />
                {name} <strong>{last === undefined || last === null ? '–' : format(last)}</strong>
              </li>
            );
          })}
        </ul>
      </figcaption>
      <div ref={host} class="plot-canvas" aria-hidden="true" />
    </figure>
  );
}

function options(element: HTMLElement, at: { count: number; format: (value: number) => string }): uPlot.Options {
  const colour = (name: string) => colourOf(element, name);
  const axis = { stroke: colour('--muted'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } };
  return {
    width: element.clientWidth,
    height: 150,
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: (_, __, max) => [0, Math.max(max * 1.1, Number.EPSILON)] } },
    axes: [
      { ...axis, grid: { show: false }, size: 24, font: '11px system-ui', values: (_, ticks) => ticks.map(clock) },
      { ...axis, size: 56, font: '11px system-ui', values: (_, ticks) => ticks.map(at.format) },
    ],
    series: [
      {},
      ...Array.from({ length: at.count }, (_, index) => ({
        stroke: colour(colours[index % colours.length]!),
        width: 1.5,
        points: { show: false },
        spanGaps: true,
      })),
    ],
  };
}

function clock(seconds: number): string {
  return new Date(seconds * 1000).toLocaleTimeString('en-GB');
}

/** A canvas needs the actual colour instead of the name of a theme variable. */
function colourOf(element: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
