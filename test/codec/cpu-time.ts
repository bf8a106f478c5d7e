/**
 * Returns the milliseconds of processor time that this process has used since. Time in which other processes ran does
 * not count.
 */
export function cpuTime(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}
