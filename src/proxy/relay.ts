import type { Duplex } from 'node:stream';

export interface RelayOptions {
  /** How long a connection may be idle in both directions. */
  readonly idleTimeoutMs: number;
  /** Abort it to destroy both sides. */
  readonly signal: AbortSignal;
}

/**
 * Passes the bytes of each side to the other with backpressure. When one side ends, the other is ended after all data
 * was delivered. When one side fails, both are destroyed. Resolves when both are closed.
 */
export function relay(a: Duplex, b: Duplex, { idleTimeoutMs, signal }: RelayOptions): Promise<void> {
  return new Promise((resolve) => {
    let open = 2;
    const cut = (): void => {
      a.destroy();
      b.destroy();
    };
    const timer = setTimeout(cut, idleTimeoutMs);
    const onData = (): void => void timer.refresh();
    const onClose = (): void => {
      if (--open > 0) return;
      clearTimeout(timer);
      signal.removeEventListener('abort', cut);
      resolve();
    };
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      from.on('error', cut);
      from.on('data', onData);
      from.pipe(to);
      from.once('close', () => {
        // If the side ended properly, the data that it sent is still delivered.
        if (from.readableEnded) to.end();
        else to.destroy();
        onClose();
      });
      if (from.destroyed) onCloseOf(from, to, onClose);
    }
    if (signal.aborted) cut();
    else signal.addEventListener('abort', cut, { once: true });
  });
}

/** A stream that is already closed emits no event. */
function onCloseOf(from: Duplex, to: Duplex, onClose: () => void): void {
  to.destroy();
  if (from.closed) onClose();
}
