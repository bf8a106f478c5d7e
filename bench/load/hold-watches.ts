import type { Target } from './load-plan.ts';
import { WatchConnection } from './watch-connection.ts';
import type { WatchPlan } from './watch-plans.ts';

/** Resolves when the server has accepted all watches. They stay open, and are read, as long as the process lives. */
export async function holdWatches(target: Target, { path, connections, streams }: WatchPlan): Promise<number> {
  let isHolding = false;
  let failure: Error | undefined;
  const onError = (error: Error) => {
    failure ??= error;
    if (!isHolding) return;
    // Whoever counts on the watches must not measure without them.
    console.error(`bench: a watch that was to stay open has ended: ${error.message}`);
    process.exit(1);
  };
  // One connection after the other: hundreds of handshakes at once would only wait for each other.
  for (let connection = 0; connection < connections; connection++) {
    await WatchConnection.open({ target, path, watches: streams, onEvent: () => {}, onError });
  }
  if (failure) throw failure;
  isHolding = true;
  return connections * streams;
}
