import type { Readable } from 'node:stream';
import type { Exchange, ResponseStream } from '../http/exchange.ts';

export interface PassBodyOptions {
  readonly exchange: Exchange;
  /** Abort it to abort the response. */
  readonly signal: AbortSignal;
}

/**
 * Forwards the body of another server at the pace of the client. If the body breaks off, the response is aborted.
 * Resolves when either has ended.
 */
export function passBody(body: Readable, stream: ResponseStream, { exchange, signal }: PassBodyOptions): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      signal.removeEventListener('abort', cut);
      resolve();
    };
    const cut = (): void => {
      body.destroy();
      if (!exchange.signal.aborted) exchange.abort();
      done();
    };
    const pass = (chunk: Buffer): void => {
      if (stream.write(chunk)) return;
      body.pause();
      void stream.drained().then(() => body.resume());
    };
    // Data that arrived with the head of a response is sent with the head.
    const first = body.read() as Buffer | null;
    body.on('data', pass);
    if (first !== null) pass(first);
    body.on('end', () => {
      stream.end();
      done();
    });
    body.on('error', cut);
    body.on('close', () => {
      if (!body.readableEnded) cut();
    });
    if (signal.aborted) cut();
    else signal.addEventListener('abort', cut);
  });
}
