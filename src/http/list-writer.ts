import type { ObjectList } from '../registry/index.ts';
import type { Exchange } from './exchange.ts';
import { jsonHeaders } from './render.ts';

/** Lists up to this size are sent as one piece, with their length. */
const wholeSize = 128 * 1024;
/** What may wait for the socket: enough to keep it busy, and little enough to stay in the caches of the processor. */
const mostPending = 256 * 1024;
const tail = Buffer.from(']}\n');

/** Sends a list group by group, as fast as the client takes it: a list of any size needs little memory of its own. */
export function writeList(exchange: Exchange, list: ObjectList): void | Promise<void> {
  const pieces: Buffer[] = [];
  let size = 0;
  const rest = listPieces(list);
  for (const piece of rest) {
    pieces.push(piece);
    size += piece.length;
    if (size > wholeSize) return stream(exchange, pieces, rest);
  }
  exchange.respond(200, jsonHeaders(exchange), Buffer.concat(pieces, size));
}

async function stream(exchange: Exchange, first: readonly Buffer[], rest: Iterable<Buffer>): Promise<void> {
  const response = exchange.respondStream(200, jsonHeaders(exchange));
  for (const piece of first) response.write(piece);
  for (const piece of rest) {
    if (response.closed) return;
    response.write(piece);
    if (response.pendingBytes > mostPending) await response.drained();
  }
  response.end();
}

/** The whole list as one document, for those who need it at once. */
export function listDocument(list: ObjectList): Buffer {
  return Buffer.concat([...listPieces(list)]);
}

/** A generator that is not closed when a loop over it ends early, so that another loop can go on. */
function listPieces(list: ObjectList): Iterable<Buffer> {
  const pieces = generatePieces(list);
  return { [Symbol.iterator]: () => ({ next: () => pieces.next() }) };
}

function* generatePieces(list: ObjectList): Generator<Buffer> {
  yield Buffer.from(head(list));
  let first = true;
  for (const group of list.items) {
    // The first item of all has no comma before it.
    yield first ? group.subarray(1) : group;
    first = false;
  }
  yield tail;
}

function head({ kind, apiVersion, resourceVersion, continueToken, remainingItemCount }: ObjectList): string {
  const metadata = { resourceVersion, continue: continueToken, remainingItemCount };
  const opened = JSON.stringify({ kind, apiVersion, metadata });
  return `${opened.slice(0, -1)},"items":[`;
}
