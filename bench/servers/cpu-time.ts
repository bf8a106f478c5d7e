import { readFileSync } from 'node:fs';

/** Linux reports process times in hundredths of a second, independent of the kernel's timer frequency. */
const ticksPerSecond = 100;

/** Returns the CPU time of a process so far, all threads together. Undefined when the system does not provide it. */
export function cpuSeconds(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the name in parentheses and may contain anything. User and system time are the 12th and 13th
  // field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
