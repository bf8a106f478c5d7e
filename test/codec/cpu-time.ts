/** The milliseconds that this process has worked since: time in which others have the processor does not count. */
export function cpuTime(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}
