import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const sampleMs = 100;
const samples = 10;
const peakSampleMs = 10;
const tolerance = 0.01;
const limitMs = 20_000;

/** Returns the resident set size of a process in MB (10^6 bytes). */
export function residentMegabytes(pid: number): number {
  const kibibytes =
    process.platform === 'linux'
      ? /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return (Number(kibibytes) * 1024) / 1e6;
}

/**
 * Waits until the size has been stable for a second, because a process still releases memory after start-up or load.
 */
export async function settledMegabytes(pid: number): Promise<number> {
  const recent: number[] = [];
  for (let waited = 0; ; waited += sampleMs) {
    recent.push(residentMegabytes(pid));
    if (recent.length > samples) recent.shift();
    const highest = Math.max(...recent);
    const isSettled = recent.length === samples && highest - Math.min(...recent) <= highest * tolerance;
    if (isSettled || waited >= limitMs) return recent.at(-1)!;
    await delay(sampleMs);
  }
}

/** Returns the peak size while `work` is pending. */
export async function peakMegabytes(pid: number, work: Promise<unknown>): Promise<number> {
  let peak = residentMegabytes(pid);
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMegabytes(pid));
  }, peakSampleMs);
  try {
    await work;
  } finally {
    clearInterval(timer);
  }
  return peak;
}
