const over = new Error('the exchange is over');
over.name = 'AbortError';
over.stack = undefined;

interface Closing {
  readonly closed: boolean;
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/** Aborts when the given end of an exchange closes, whether after a complete answer or because the client went away. */
export function signalOfClosing(end: Closing): AbortSignal {
  const controller = new AbortController();
  // One shared reason: making an error per exchange would cost more than the rest of the signal.
  if (end.closed || end.destroyed) controller.abort(over);
  else end.once('close', () => controller.abort(over));
  return controller.signal;
}
