import { runFanOut } from './load/fan-out-run.ts';
import { holdWatches } from './load/hold-watches.ts';
import type { Target } from './load/load-plan.ts';
import { runLoad } from './load/load-run.ts';
import type { Jobs, Order, Reply } from './load/order.ts';
import { runWatchLatency } from './load/watch-latency-run.ts';

/**
 * The load generator. It runs in a separate process: in one process, the server and its load would share a thread, and
 * every request would cost the client's time as well as the server's. It receives one order at a time over the IPC
 * channel and replies with the result.
 */

const jobs: Jobs = { load: runLoad, fanOut: runFanOut, watchLatency: runWatchLatency, holdWatches };

const reply = (message: Reply) => process.send?.(message);
process.on('message', ({ job, target, plan }: Order) => {
  // The plan matches the job. The type information is lost when the order passes through the channel.
  const run = jobs[job] as (target: Target, plan: Order['plan']) => Promise<unknown>;
  run(target, plan).then(
    (result) => reply({ result }),
    (error: unknown) => reply({ error: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit());
// Ctrl-C reaches the whole process group. The bench process ends its children in order.
process.on('SIGINT', () => {});
