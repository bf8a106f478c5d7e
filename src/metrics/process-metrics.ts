import { readdir, readFile } from 'node:fs/promises';
import { constants, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import type { Meter } from '../meta/meter.ts';

const gcKinds: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weakcb',
};

/**
 * Reports metrics of the process and of Node.js under their common names. The delays of the event loop and of garbage
 * collection are measured only after the first read, because the measurement has a cost.
 */
export function measureProcess(meter: Meter, signal: AbortSignal): void {
  processMetrics(meter);
  heapMetrics(meter);
  let isMeasuring = false;
  meter.beforeReading(() => {
    if (isMeasuring || signal.aborted) return;
    isMeasuring = true;
    loopMetrics(meter, signal);
    collectionMetrics(meter, signal);
  });
}

function processMetrics(meter: Meter): void {
  const number = (name: string, help: string) => meter.gauge({ name, help, labels: [], together: 'same' }).of();
  const cpu = (name: string, help: string) => meter.counter({ name, help, labels: [], together: 'same' }).of();
  const total = cpu('process_cpu_seconds_total', 'Processor time of the process, in seconds.');
  const user = cpu('process_cpu_user_seconds_total', 'Processor time in user mode, in seconds.');
  const system = cpu('process_cpu_system_seconds_total', 'Processor time in kernel mode, in seconds.');
  const resident = number('process_resident_memory_bytes', 'Resident memory of the process, in bytes.');
  number('process_start_time_seconds', 'When the process started, in seconds since 1970.').set(
    performance.timeOrigin / 1000,
  );
  const [major = '', minor = '', patch = ''] = process.versions.node.split('.');
  meter
    .gauge({
      name: 'nodejs_version_info',
      help: 'The version of Node.js, in its labels.',
      labels: ['version', 'major', 'minor', 'patch'],
      together: 'same',
    })
    .of(process.version, major, minor, patch)
    .set(1);
  let last = { user: 0, system: 0 };
  meter.beforeReading(() => {
    const used = process.cpuUsage();
    total.add((used.user + used.system - last.user - last.system) / 1e6);
    user.add((used.user - last.user) / 1e6);
    system.add((used.system - last.system) / 1e6);
    last = used;
    resident.set(process.memoryUsage.rss());
  });
  if (process.platform === 'linux') linuxMetrics(meter);
}

function linuxMetrics(meter: Meter): void {
  const number = (name: string, help: string) => meter.gauge({ name, help, labels: [], together: 'same' }).of();
  const virtual = number('process_virtual_memory_bytes', 'Virtual memory of the process, in bytes.');
  const open = number('process_open_fds', 'File descriptors that the process has open.');
  const max = number('process_max_fds', 'File descriptors that the process may have open.');
  meter.beforeReading(async () => {
    open.set((await readdir('/proc/self/fd')).length);
    const size = /^VmSize:\s+(\d+) kB/m.exec(await readFile('/proc/self/status', 'utf8'));
    virtual.set(Number(size?.[1] ?? 0) * 1024);
    const limit = /^Max open files\s+(\d+)/m.exec(await readFile('/proc/self/limits', 'utf8'));
    max.set(Number(limit?.[1] ?? 0));
  });
}

function heapMetrics(meter: Meter): void {
  const number = (name: string, help: string) => meter.gauge({ name, help, labels: [] }).of();
  const heapTotal = number('nodejs_heap_size_total_bytes', 'Size of the JavaScript heap, in bytes.');
  const heapUsed = number('nodejs_heap_size_used_bytes', 'Used part of the JavaScript heap, in bytes.');
  const external = number('nodejs_external_memory_bytes', 'Memory of buffers and other objects outside of the heap.');
  const limit = number('nodejs_heap_size_limit_bytes', 'Size that the JavaScript heap cannot exceed, in bytes.');
  const spaces = meter.gauge({
    name: 'nodejs_heap_space_size_used_bytes',
    help: 'Used part of each space of the JavaScript heap, in bytes.',
    labels: ['space'],
  });
  meter.beforeReading(() => {
    const usage = process.memoryUsage();
    heapTotal.set(usage.heapTotal);
    heapUsed.set(usage.heapUsed);
    external.set(usage.external);
    limit.set(getHeapStatistics().heap_size_limit);
    for (const { space_name, space_used_size } of getHeapSpaceStatistics()) {
      spaces.of(space_name.replace('_space', '')).set(space_used_size);
    }
  });
}

function loopMetrics(meter: Meter, signal: AbortSignal): void {
  const number = (name: string, help: string) => meter.gauge({ name, help, labels: [], together: 'most' }).of();
  const mean = number('nodejs_eventloop_lag_mean_seconds', 'Mean delay of the event loop since the last reading.');
  const max = number('nodejs_eventloop_lag_max_seconds', 'Longest delay of the event loop since the last reading.');
  const p50 = number('nodejs_eventloop_lag_p50_seconds', 'Median delay of the event loop since the last reading.');
  const p99 = number('nodejs_eventloop_lag_p99_seconds', '99th percentile of these delays since the last reading.');
  const used = number('nodejs_eventloop_utilization_ratio', 'Share of time in which the event loop was busy.');
  const resolution = 20;
  const delays = monitorEventLoopDelay({ resolution });
  delays.enable();
  signal.addEventListener('abort', () => delays.disable(), { once: true });
  let last = performance.eventLoopUtilization();
  // The histogram measures the time from one timer to the next.
  const seconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - resolution / 1000);
  meter.beforeReading(() => {
    const current = performance.eventLoopUtilization();
    used.set(performance.eventLoopUtilization(current, last).utilization);
    last = current;
    if (delays.count === 0) return;
    mean.set(seconds(delays.mean));
    max.set(seconds(delays.max));
    p50.set(seconds(delays.percentile(50)));
    p99.set(seconds(delays.percentile(99)));
    delays.reset();
  });
}

function collectionMetrics(meter: Meter, signal: AbortSignal): void {
  const durations = meter.histogram({
    name: 'nodejs_gc_duration_seconds',
    help: 'Duration of garbage collections by their kind, in seconds.',
    labels: ['kind'],
    buckets: [0.001, 0.01, 0.1, 1, 2, 5],
  });
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { kind = 0 } = (entry as unknown as { detail?: { kind?: number } }).detail ?? {};
      durations.of(gcKinds[kind] ?? 'other').observe(entry.duration / 1000);
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  signal.addEventListener('abort', () => observer.disconnect(), { once: true });
}
