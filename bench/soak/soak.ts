import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { startKeelson } from '../servers/keelson-process.ts';
import { residentMegabytes } from '../servers/resident-memory.ts';
import { type Curve, renderCurves } from './curves.ts';
import { MixedLoad } from './mixed-load.ts';

const samples = 60;
/** So short that history and events come and go many times during the run. */
const flags = ['--compaction-retention=20s', '--event-ttl=30s'];

/**
 * Loads one server for minutes and samples what must not grow. Prints the curves and whether each levels off. Resolves
 * with whether all do.
 */
export async function soak(bench: Bench, minutes: number): Promise<boolean> {
  const directory = await bench.makeDirectory();
  const server = await startKeelson(bench, directory, { watchLoop: true, flags });
  const load = new MixedLoad(server.target('http/1.1'));
  await load.start();
  const curves: Curve[] = [
    { name: 'resident memory', unit: 'MB', values: [], tolerance: 0.1 },
    { name: 'file descriptors', unit: '', values: [], tolerance: 0.1 },
    { name: 'longest pause of the event loop', unit: 'ms', values: [], tolerance: 0.5 },
    { name: 'files of the store', unit: 'MB', values: [], tolerance: 0.1 },
  ];
  const intervalMs = (minutes * 60_000) / samples;
  await server.longestPauseMs();
  for (let sample = 1; sample <= samples; sample++) {
    await delay(intervalMs);
    load.check();
    const values = [
      residentMegabytes(server.pid),
      openFiles(server.pid),
      await server.longestPauseMs(),
      storeMegabytes(path.join(directory, 'store')),
    ];
    for (const [index, value] of values.entries()) curves[index]!.values.push(value);
    if (sample % 6 === 0)
      bench.log(`${sample} of ${samples} samples: ${values.map((value) => value.toFixed(1)).join(', ')}`);
  }
  const counts = await load.stop();
  await server.stop();
  console.log(`${minutes} minutes of mixed load: ${counts}\n`);
  const { text, allLevel } = renderCurves(curves);
  console.log(text);
  return allLevel;
}

function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

function storeMegabytes(directory: string): number {
  const files = readdirSync(directory).map((name) => statSync(path.join(directory, name), { throwIfNoEntry: false }));
  return files.reduce((sum, found) => sum + (found?.size ?? 0), 0) / 1e6;
}
