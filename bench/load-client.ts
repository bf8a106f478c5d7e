import type { LoadOrder, LoadReply } from './load/load-plan.ts';
import { runLoad } from './load/load-run.ts';

/**
 * The load generator, a process of its own: a server and its load in one process would share one thread, and every
 * request would cost the client's time as well as the server's. Gets one order at a time over the IPC channel and
 * answers it with the result.
 */

const reply = (message: LoadReply) => process.send?.(message);
process.on('message', (order: LoadOrder) => {
  runLoad(order).then(
    (result) => reply({ result }),
    (error: unknown) => reply({ error: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit());
// Ctrl-C reaches the whole process group; the bench itself ends its children, in order.
process.on('SIGINT', () => {});
