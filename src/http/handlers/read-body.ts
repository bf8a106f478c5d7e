import type { Exchange } from '../exchange.ts';

/** The maximum size of a request body: larger than any object may be. */
export const bodyLimit = 3 * 1024 * 1024;

/**
 * How many writes continue in one turn of the event loop, once their bodies are there. The objects of those in progress
 * are copied by every collection of the young generation, and other requests wait for the end of the turn.
 */
const maxWrites = 16;

const waiting: (() => void)[] = [];
/** The number of writes that have continued in this turn. */
let continued = 0;
let isScheduled = false;

/** Reads the body of a write, and waits until it may continue. */
export async function readBody(exchange: Exchange): Promise<Buffer> {
  const body = await exchange.readBody(bodyLimit);
  if (continued === maxWrites) await new Promise<void>((resolve) => waiting.push(resolve));
  else continued++;
  schedule();
  return body;
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(continueWaiting);
}

function continueWaiting(): void {
  isScheduled = false;
  continued = Math.min(waiting.length, maxWrites);
  for (const resume of waiting.splice(0, maxWrites)) resume();
  if (continued > 0) schedule();
}
