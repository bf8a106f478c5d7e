import { Turn } from '../meta/turns.ts';

interface Request {
  begin(): void;
}

interface Flushable {
  flush(): void;
}

const requests: Request[] = [];
const outputs: Flushable[] = [];
let isScheduled = false;

/**
 * Begins a request at the end of this turn of the event loop, when the received data of all connections has been read.
 * Requests of many connections are then handled one after the other. If each were handled between the decryption of two
 * connections, the caches of the processor would have to be filled again for each of them: with 64 connections, a
 * create took half as long again.
 *
 * Requests that would make the turn long begin in later ones. Meanwhile the first ones can be completed, so that fewer
 * are in progress at a time: their objects are copied by every collection of the young generation.
 */
export function beginSoon(request: Request): void {
  requests.push(request);
  schedule();
}

/**
 * Flushes at the end of this turn of the event loop, after its requests. Readers notice no delay, and the events of one
 * batch of commits are written together. One callback serves all streams.
 */
export function flushSoon(output: Flushable): void {
  outputs.push(output);
  schedule();
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(endTurn);
}

function endTurn(): void {
  isScheduled = false;
  try {
    const turn = new Turn();
    handleAll(requests, (request) => {
      request.begin();
      return turn.isOver;
    });
  } finally {
    handleAll(outputs, (output) => {
      output.flush();
      return false;
    });
  }
}

/**
 * Handles what is there now, until `handle` returns that it is time to stop. The others are handled in the next turn,
 * also if one throws, so that no connection hangs.
 */
function handleAll<T>(items: T[], handle: (item: T) => boolean): void {
  const count = items.length;
  let handled = 0;
  let isOver = false;
  try {
    while (handled < count && !isOver) isOver = handle(items[handled++]!);
  } finally {
    items.splice(0, handled);
    if (items.length > 0) schedule();
  }
}
