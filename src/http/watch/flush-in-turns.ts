interface Flushable {
  flush(): void;
}

/** How long streams are flushed before requests get a turn, in milliseconds. */
const turnMs = 2;
/** Milliseconds after which streams that still wait get longer turns, so that busy clients cannot starve watchers. */
const lateMs = 25;
/** The number of streams that are flushed between two clock reads. */
const groupSize = 16;

let waiting: Flushable[] = [];
/** The streams that were waiting when this round began, from `next` on. */
let round: Flushable[] = [];
let next = 0;
let roundStart = 0;
let isScheduled = false;

/**
 * Flushes at the end of this turn of the event loop, so that the events of one batch of commits are written together.
 * The streams of an event with many watchers are flushed in several turns, between which requests are served. Events
 * that arrive meanwhile are added to the pending ones.
 */
export function flushInTurns(stream: Flushable): void {
  waiting.push(stream);
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(flushSome);
}

function flushSome(): void {
  const now = performance.now();
  if (next === round.length) {
    round = waiting;
    waiting = [];
    next = 0;
    roundStart = now;
  }
  const end = now + turnMs * (1 + (now - roundStart) / lateMs);
  do {
    const groupEnd = Math.min(round.length, next + groupSize);
    while (next < groupEnd) round[next++]!.flush();
  } while (next < round.length && performance.now() < end);
  if (next === round.length) round = [];
  if (round.length === 0) next = 0;
  isScheduled = round.length > 0 || waiting.length > 0;
  if (isScheduled) setImmediate(flushSome);
}
