import { availableParallelism, loadavg } from 'node:os';
import { type Figure, isGoalMet, type Measurement } from './scenario.ts';

/** The system load average in the minute before the run. Ratios are stable only on an idle machine. */
const busyBefore = loadavg()[0] ?? 0;

/** Machine-readable output: one document with every number. */
export function renderJson(measurements: readonly Measurement[]): string {
  const rows = measurements.map((row) => ({
    name: row.name,
    title: row.title,
    unit: row.unit,
    better: row.better,
    ours: rounded(row.ours),
    bare: row.bare === undefined ? null : rounded(row.bare),
    ratio: row.ratio === undefined ? null : rounded(row.ratio),
    cpuRatio: row.cpuRatio === undefined ? null : rounded(row.cpuRatio),
    goal: row.goal ?? null,
    peer: row.peer ?? null,
    met: isGoalMet(row) ?? null,
    detail: Object.fromEntries(Object.entries(row.detail).map(([name, value]) => [name, rounded(value)])),
  }));
  return JSON.stringify(
    { node: process.version, cores: availableParallelism(), busyBefore, measurements: rows },
    undefined,
    2,
  );
}

const rounded = (value: number) => Number(value.toPrecision(6));

const columns = [
  'scenario',
  'keelson',
  'bare',
  'unit',
  'ratio',
  'by cpu',
  'us',
  'bare us',
  'client us',
  'goal',
  'kube-apiserver',
  'met',
];
const isText = (column: number) => column === 0 || column === 3;

/** Human-readable output. */
export function renderTable(measurements: readonly Measurement[]): string {
  const rows = measurements.map((row) => [
    row.title,
    count(row.ours),
    count(row.bare),
    row.unit,
    row.ratio?.toFixed(2) ?? '',
    row.cpuRatio?.toFixed(2) ?? '',
    micros(row.detail.oursCpuMicros),
    micros(row.detail.bareCpuMicros),
    micros(row.detail.clientMicros),
    figure(row.goal, row.better === 'higher' ? '≥ ' : '≤ '),
    figure(row.peer, ''),
    { true: 'yes', false: 'NO', undefined: '' }[String(isGoalMet(row))] ?? '',
  ]);
  const widths = columns.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (isText(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd();
  const rule = line(widths.map((width) => '-'.repeat(width)));
  return [line(columns), rule, ...rows.map(line), '', ...notes(measurements)].join('\n');
}

function notes(measurements: readonly Measurement[]): string[] {
  const busy = measurements.filter(
    ({ detail }) => Math.max(detail.clientBusyOurs ?? 0, detail.clientBusyBare ?? 0) > 0.9,
  );
  const lines = [
    'ratio: keelson in units of the bare server (1.00 = it answers the same bytes and does nothing else).',
    'documents/s: the same for a codec and the bare library, in one process.',
    'apply and merge patch: in units of the update in the same run.',
    'by cpu: the same by processor time per request or event; steadier on a busy machine, but a second thread counts as cost.',
    'us: processor time per request or event of keelson, of the bare server and of the load generator, all threads.',
    'goal and kube-apiserver: as a ratio, or in the unit of the row where it is given.',
    'kube-apiserver (1.36 with etcd 3.6) was measured on another machine with another load generator: orientation only.',
    'Absolute numbers are for orientation; only the ratios hold across machines.',
  ];
  if (busyBefore > availableParallelism() / 2) {
    lines.push(`The machine was busy before the run (load ${busyBefore.toFixed(1)}); run again when it is not.`);
  }
  if (busy.length > 0) {
    lines.push(
      `The load generator was more than 90 % busy, so it may hide a difference: ${busy.map(({ name }) => name).join(', ')}.`,
    );
  }
  return lines;
}

const micros = (value: number | undefined) => (value === undefined || Number.isNaN(value) ? '' : count(value));
const count = (value: number | undefined) =>
  value?.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 }) ?? '';

function figure(value: Figure | undefined, sign: string): string {
  if (value === undefined) return '';
  return sign + ('ratio' in value ? value.ratio.toFixed(2) : count(value.absolute));
}
