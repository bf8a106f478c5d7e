import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { type KeelsonServer, startKeelson } from '../servers/keelson-process.ts';
import { residentMegabytes } from '../servers/resident-memory.ts';
import { type Curve, renderCurves } from './curves.ts';
import { MixedLoad } from './mixed-load.ts';

const intervals = 60;
const sampleMs = 500;
/** Short enough that history and events expire many times during the run. */
const flags = ['--compaction-retention=20s', '--event-ttl=30s'];

/**
 * Loads one server for some minutes and samples quantities that must not grow. Prints the curves and whether each of
 * them levels off. Resolves with true if all of them do.
 */
export async function soak(bench: Bench, minutes: number): Promise<boolean> {
  const directory = await bench.makeDirectory();
  const server = await startKeelson(bench, directory, { watchLoop: true, flags });
  const load = new MixedLoad(server.target('http/1.1'));
  await load.start();
  await load.filled();
  const curves: Curve[] = [
    { name: 'resident memory', unit: 'MB', values: [], tolerance: 0.1 },
    { name: 'file descriptors', unit: '', values: [], tolerance: 0.1 },
    { name: 'longest pause of the event loop', unit: 'ms', values: [], tolerance: 0.5 },
    { name: 'database', unit: 'MB', values: [], tolerance: 0.1 },
    { name: 'logs of the database', unit: 'MB', values: [], tolerance: 0.1 },
  ];
  await server.longestPauseMs();
  const startedAt = performance.now();
  for (let interval = 1; interval <= intervals; interval++) {
    const peaks = await peaksUntil(startedAt + (interval * minutes * 60_000) / intervals, async () => {
      load.check();
      return sample(server, path.join(directory, 'store'));
    });
    for (const [index, value] of peaks.entries()) curves[index]!.values.push(value);
    if (interval % 6 === 0) {
      bench.log(`${interval} of ${intervals} intervals: ${peaks.map((value) => value.toFixed(1)).join(', ')}`);
    }
  }
  const counts = await load.stop();
  await server.stop();
  console.log(`${minutes} minutes of mixed load: ${counts}\n`);
  const { text, allLevel } = renderCurves(curves);
  console.log(text);
  console.log(allLevel ? '\nEverything levels off.' : '\nSomething grows.');
  return allLevel;
}

/** Returns the highest value of each number until the end of the interval. */
async function peaksUntil(end: number, read: () => Promise<readonly number[]>): Promise<readonly number[]> {
  let peaks: readonly number[] = [];
  do {
    await delay(Math.max(0, Math.min(sampleMs, end - performance.now())));
    const values = await read();
    peaks = values.map((value, index) => Math.max(value, peaks[index] ?? value));
  } while (performance.now() < end);
  return peaks;
}

/** In the order of the curves. */
async function sample(server: KeelsonServer, store: string): Promise<readonly number[]> {
  const sizes = readdirSync(store).map((name) => ({
    isLog: /-(wal|redo|shm)$/.test(name),
    megabytes: (statSync(path.join(store, name), { throwIfNoEntry: false })?.size ?? 0) / 1e6,
  }));
  const sum = (files: typeof sizes): number => files.reduce((total, { megabytes }) => total + megabytes, 0);
  return [
    residentMegabytes(server.pid),
    readdirSync(`/proc/${server.pid}/fd`).length,
    await server.longestPauseMs(),
    sum(sizes.filter(({ isLog }) => !isLog)),
    sum(sizes.filter(({ isLog }) => isLog)),
  ];
}
