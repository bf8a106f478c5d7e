/**
 * Loaded into a server before its program (`--import`). Measures how long its event loop is blocked at a time, in
 * processor time of the main thread, so that other processes have no influence. The parent reads the result over the
 * IPC channel.
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
// A killed parent cannot stop the server.
process.on('disconnect', () => process.exit(1));
process.channel?.unref();
