import type { Target } from './load-plan.ts';
import { WatchConnection } from './watch-connection.ts';
import type { WatchPlan } from './watch-plans.ts';

/** Resolves when the server has accepted all watches. They stay open, and are read, until the process ends. */
export async function holdWatches(target: Target, { path, connections, streams }: WatchPlan): Promise<number> {
  let isHolding = false;
  let failure: Error | undefined;
  const onError = (error: Error) => {
    failure ??= error;
    if (!isHolding) return;
    // The caller must not measure with fewer watches than it requested.
    console.error(`bench: a watch that was to stay open has ended: ${error.message}`);
    process.exit(1);
  };
  // Connections are opened sequentially, because hundreds of concurrent handshakes would only wait for each other.
  for (let connection = 0; connection < connections; connection++) {
    await WatchConnection.open({ target, path, watches: streams, onError });
  }
  if (failure) throw failure;
  isHolding = true;
  return connections * streams;
}
