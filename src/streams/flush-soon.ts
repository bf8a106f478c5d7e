interface Flushable {
  flush(): void;
}

let waiting: Flushable[] = [];

/**
 * Flushes at the end of this turn of the event loop. Readers notice no delay, and the events of one batch of commits
 * are written together. One callback serves all streams.
 */
export function flushSoon(stream: Flushable): void {
  waiting.push(stream);
  if (waiting.length === 1) setImmediate(flushAll);
}

function flushAll(): void {
  const streams = waiting;
  waiting = [];
  for (const stream of streams) stream.flush();
}
