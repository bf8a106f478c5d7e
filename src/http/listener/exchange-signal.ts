/** Shared: creating an error for each exchange would cost more than the rest of its signal. */
export const exchangeEnded: Error = new Error('the exchange has ended');
exchangeEnded.name = 'AbortError';
exchangeEnded.stack = undefined;

interface Closing {
  readonly closed: boolean;
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/**
 * A signal that aborts when the stream of an exchange closes, after a complete response or because the client
 * disconnected.
 */
export function signalOfClosing(end: Closing): AbortSignal {
  const controller = new AbortController();
  if (end.closed || end.destroyed) controller.abort(exchangeEnded);
  else end.once('close', () => controller.abort(exchangeEnded));
  return controller.signal;
}
