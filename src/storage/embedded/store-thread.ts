import { Worker } from 'node:worker_threads';

// In the published bundle the worker is a separate file next to the chunk that contains this module.
const workerScript = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : './embedded-worker.cjs',
  import.meta.url,
);

/** A thread that was started early and is not used yet. */
let early: Worker | undefined;

/**
 * Starts the thread of the store that this process opens first. It loads the database while the process loads the rest
 * of the program. It does not keep a process alive that opens no store.
 */
export function startStoreThread(): void {
  const worker = newThread(workerScript);
  worker.unref();
  early = worker;
  // If this thread dies, another one is started later and reports the reason.
  const forget = (): void => {
    if (early === worker) early = undefined;
  };
  worker.once('error', forget).once('exit', forget);
}

/** Returns a thread that is not shared. */
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
