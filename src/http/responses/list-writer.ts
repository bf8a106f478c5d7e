import { setImmediate as nextTurn } from 'node:timers/promises';
import { indentedChunks } from '../../codec/json/index.ts';
import type { ObjectList } from '../../registry/index.ts';
import type { Exchange, ResponseHeaders, ResponseStream } from '../exchange.ts';
import { headersOf } from '../render.ts';
import { encodedChunks } from './encoded-list.ts';
import type { OutputFormat } from './output-format.ts';
import { PooledBuffer } from './pooled-buffer.ts';

/** Lists up to this size are sent with a content-length. */
const streamThreshold = 128 * 1024;
/** Lists up to this size are joined first, which costs less than writing their parts. */
const joinThreshold = 16 * 1024;
/** Bytes that may wait for the socket: enough to keep it busy, and little enough to stay in the processor's caches. */
const maxPending = 256 * 1024;
/**
 * The number of chunks of a converted list, with empty ones, that are produced before the event loop runs other work.
 */
const maxConverted = 16;
const tail = Buffer.from(']}\n');

/** Sends a list group by group, at the client's pace, so that a list of any size needs little memory. */
export function writeList(exchange: Exchange, list: ObjectList, format: OutputFormat): void | Promise<void> {
  const { pretty, mediaType } = format;
  const isConverted = format.representation !== undefined || format.encoding.name !== 'json';
  const buffer = new PooledBuffer();
  const compact = isConverted ? encodedChunks(list, format) : listChunks(list, buffer.allocate);
  const chunks = pretty ? indentedChunks(compact) : compact;
  const first: Buffer[] = [];
  let size = 0;
  while (size <= streamThreshold && (!isConverted || first.length < maxConverted)) {
    const next = chunks.next();
    if (next.done) {
      // Parts in the buffer are overwritten by the next list. Joining larger lists would use so much memory outside the
      // heap that V8 collects the whole heap several times a second.
      if (size <= joinThreshold || !buffer.isFree) {
        exchange.respond(200, headersOf(exchange, mediaType), Buffer.concat(first, size));
      } else {
        respondParts(exchange, first, { ...headersOf(exchange, mediaType), 'content-length': String(size) });
      }
      buffer.release();
      return;
    }
    first.push(next.value);
    size += next.value.length;
    buffer.isFree &&= !buffer.owns(next.value);
  }
  return stream(exchange, first, { chunks, buffer, pretty, isConverted, mediaType });
}

function respondParts(exchange: Exchange, parts: readonly Buffer[], headers: ResponseHeaders): void {
  const response = exchange.respondStream(200, headers);
  for (const part of parts) write(response, part);
  response.end();
}

interface ListStreamOptions {
  readonly chunks: Generator<Buffer>;
  readonly buffer: PooledBuffer;
  readonly pretty: boolean;
  readonly isConverted: boolean;
  readonly mediaType: string;
}

async function stream(exchange: Exchange, first: readonly Buffer[], options: ListStreamOptions): Promise<void> {
  const { chunks, buffer, pretty, isConverted, mediaType } = options;
  const response = exchange.respondStream(200, headersOf(exchange, mediaType));
  for (const chunk of first) write(response, chunk);
  if (!buffer.isFree) await response.drained();
  // Encode nothing more for a client that has disconnected.
  while (!response.closed) {
    // Indentation and conversion copy a group before they request the next one.
    buffer.isFree = pretty || isConverted || response.pendingBytes === 0;
    const next = chunks.next();
    if (next.done) {
      if (buffer.isFree) buffer.release();
      response.end();
      return;
    }
    // An empty chunk exists only to yield to other requests.
    if (next.value.length === 0) {
      await nextTurn();
      continue;
    }
    response.write(next.value);
    if (response.pendingBytes > maxPending || buffer.owns(next.value)) await response.drained();
    // Indentation emits no empty chunks.
    if (isConverted && pretty) await nextTurn();
  }
  chunks.return(undefined);
}

/** Empty chunks exist only to yield to other requests. */
function write(response: ResponseStream, chunk: Buffer): void {
  if (chunk.length > 0) response.write(chunk);
}

function* listChunks(list: ObjectList, allocate: (size: number) => Buffer): Generator<Buffer> {
  yield Buffer.from(head(list));
  let first = true;
  for (const group of list.items(allocate)) {
    // The first item has no comma before it.
    yield first ? group.subarray(1) : group;
    first = false;
  }
  yield tail;
}

function head({ kind, apiVersion, resourceVersion, continueToken, remainingItemCount }: ObjectList): string {
  // Lists that the server computes have no version.
  const metadata = { resourceVersion: resourceVersion || undefined, continue: continueToken, remainingItemCount };
  const opened = JSON.stringify({ kind, apiVersion, metadata });
  return `${opened.slice(0, -1)},"items":[`;
}
