import { readFileSync } from 'node:fs';

/** Linux counts the time of processes in hundredths of a second, whatever the kernel's own clock. */
const ticksPerSecond = 100;

/** Processor time that a process has used so far, all threads together; undefined where the system does not tell. */
export function cpuSeconds(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the name in parentheses and may hold anything; user and system time are the 12th and 13th after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
