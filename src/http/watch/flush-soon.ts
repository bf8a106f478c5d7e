interface Flushable {
  flush(): void;
}

let waiting: Flushable[] = [];

/**
 * Flushes at the end of this turn of the event loop: at once for a reader, but what one batch of commits has brought goes out
 * together. One callback serves all streams, however many there are.
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
