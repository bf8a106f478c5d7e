/** Loaded into a server with `--import`. On SIGUSR2 it collects all garbage and writes the memory in use to stderr. */
import { setTimeout as delay } from 'node:timers/promises';

process.on('SIGUSR2', async () => {
  // What one collection finalizes, the next one frees.
  for (let count = 0; count < 3; count++) {
    globalThis.gc!();
    await delay(10);
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  process.stderr.write(`memory: ${JSON.stringify({ used: heapUsed + external, resident: rss })}\n`);
});
