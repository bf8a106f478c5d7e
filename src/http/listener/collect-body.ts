import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { badRequest, type StatusError, timeout, tooLargeBody } from '../../meta/status-error.ts';

export interface CollectOptions {
  /** The maximum size in bytes. */
  readonly limit: number;
  /** Called at the end of the stream: whether the client has sent the complete body. */
  readonly isComplete: () => boolean;
  /** The time limit for the whole body, in milliseconds. */
  readonly timeout: number;
}

export const emptyBody = Buffer.alloc(0);

/** Whether a body follows the headers of an HTTP/1.1 request. */
export function announcesBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/**
 * The 413 for a declared length beyond the limit, before any byte is read. `declared` is the value of `content-length`.
 */
export function refusalByLength(declared: string | undefined, limit: number): StatusError | undefined {
  return declared !== undefined && Number(declared) > limit ? tooLargeBody(`limit is ${limit}`) : undefined;
}

/** A body that is being read. */
export interface BodyReading {
  /** Rejects with a 413 beyond the limit, with a 504 after the time limit, and with a 400 when the client stops sending. */
  readonly body: Promise<Buffer>;
  /** Rejects `body` as if the client had stopped sending. */
  readonly stop: () => void;
}

/**
 * Reads all bytes of a stream. After a rejection the stream is paused without the listeners added here. The caller
 * decides what to do with the rest.
 */
export function collectBody(source: Readable, options: CollectOptions): BodyReading {
  const { promise: body, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let length = 0;
  let timer: NodeJS.Timeout | undefined;

  const settle = (): void => {
    clearTimeout(timer);
    source.off('data', onData).off('end', onEnd).off('close', stop).off('error', stop);
  };
  const refuse = (error: StatusError): void => {
    settle();
    source.pause();
    reject(error);
  };
  const onData = (chunk: Buffer): void => {
    length += chunk.length;
    if (length > options.limit) refuse(tooLargeBody(`limit is ${options.limit}`));
    else chunks.push(chunk);
  };
  const onEnd = (): void => {
    if (!options.isComplete()) {
      stop();
      return;
    }
    settle();
    resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length));
  };
  const stop = (): void => refuse(incompleteBody());

  // A destroyed stream emits no more events.
  if (source.destroyed) {
    reject(incompleteBody());
  } else {
    timer = setTimeout(() => refuse(timeout('the request body did not arrive in time')), options.timeout);
    source.on('data', onData).on('end', onEnd).on('close', stop).on('error', stop);
  }
  return { body, stop };
}

/** Destroys a body when nothing arrives for this long while it is being read. */
export function destroyWhenIdle(source: Readable, timeout: number): void {
  // A destroyed stream would emit no event that stops the timer.
  if (source.destroyed) return;
  let timer: NodeJS.Timeout | undefined;
  const check = (): void => {
    // The time does not count while the reader itself has paused the stream.
    if (source.isPaused()) timer?.refresh();
    else source.destroy();
  };
  timer = setTimeout(check, timeout);
  const stop = (): void => clearTimeout(timer);
  source.on('data', () => timer?.refresh());
  source.once('end', stop).once('close', stop);
}

/** Returns the error for a client that has stopped sending. */
export function incompleteBody(): StatusError {
  return badRequest('the request body ended before it was complete');
}
