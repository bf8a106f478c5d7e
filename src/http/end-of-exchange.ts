import type { Exchange } from './exchange.ts';

/** Aborts with the exchange and with `stop`. AbortSignal.any costs several times as much. */
export function endOf({ signal }: Exchange, stop: AbortSignal | undefined): AbortSignal {
  if (stop === undefined || signal.aborted) return signal;
  if (stop.aborted) return stop;
  const controller = new AbortController();
  const end = (event: Event): void => {
    stop.removeEventListener('abort', end);
    controller.abort((event.target as AbortSignal).reason);
  };
  signal.addEventListener('abort', end, { once: true });
  stop.addEventListener('abort', end, { once: true });
  return controller.signal;
}
