/**
 * Loaded into a server before its program (`--import`): measures how long its event loop is held at a time. It counts
 * processor time of the main thread, so that other processes do not show. The parent asks over the IPC channel.
 */
let last = process.threadCpuUsage();
let maxHeldMs = 0;

function look(): void {
  const now = process.threadCpuUsage();
  maxHeldMs = Math.max(maxHeldMs, (now.user + now.system - last.user - last.system) / 1_000);
  last = now;
}

setInterval(look, 1).unref();
process.on('message', () => {
  look();
  process.send!(maxHeldMs);
  maxHeldMs = 0;
});
// A parent that was killed cannot stop it.
process.on('disconnect', () => process.exit(1));
process.channel?.unref();
