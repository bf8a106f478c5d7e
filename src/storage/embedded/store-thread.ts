import { Worker } from 'node:worker_threads';

// In the published bundle the worker is a separate file next to the chunk that contains this module.
const workerScript = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './embedded-worker.js', import.meta.url);

/** Started, but not taken yet. */
let early: Worker | undefined;

/**
 * Starts the thread of the store that this process opens first. It loads the database while the process loads the rest
 * of the program. A process that opens no store is not held by it.
 */
export function startStoreThread(): void {
  const worker = newThread(workerScript);
  worker.unref();
  early = worker;
  // The thread that replaces a dead one reports the reason.
  const forget = (): void => {
    if (early === worker) early = undefined;
  };
  worker.once('error', forget).once('exit', forget);
}

/** A thread that is not shared. */
export function storeThread(script = workerScript): Worker {
  if (script !== workerScript || early === undefined) return newThread(script);
  const worker = early;
  early = undefined;
  worker.ref();
  return worker;
}

function newThread(script: URL): Worker {
  // The worker creates little garbage. V8's large default young generation would only increase idle memory.
  return new Worker(script, { name: 'storage', resourceLimits: { maxYoungGenerationSizeMb: 4 } });
}
