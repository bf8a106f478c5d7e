import { expect, it, onTestFinished } from 'vitest';
import { MetricsRegistry } from './metrics-registry.ts';
import { measureProcess } from './process-metrics.ts';

it('reports the process and Node.js', async () => {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const registry = new MetricsRegistry();
  measureProcess(registry, stop.signal);
  const reading = async (name: string): Promise<number> => {
    const line = (await registry.render({ isOpenMetrics: false }))
      .split('\n')
      .find((text) => text.startsWith(`${name} `));
    return Number(line?.split(' ').at(-1));
  };
  const before = await reading('process_cpu_seconds_total');
  expect(before).toBeGreaterThan(0);
  await expect.poll(() => reading('process_cpu_seconds_total')).toBeGreaterThan(before);
  expect(await reading('process_resident_memory_bytes')).toBeGreaterThan(1e6);
  expect(await reading('process_start_time_seconds')).toBeGreaterThan(1e9);
  expect(await reading('nodejs_heap_size_used_bytes')).toBeGreaterThan(1e6);
  expect(await reading('nodejs_eventloop_utilization_ratio')).toBeGreaterThanOrEqual(0);
  if (process.platform === 'linux') expect(await reading('process_open_fds')).toBeGreaterThan(2);
});
