import { setImmediate as nextTurn } from 'node:timers/promises';
import { indentedPieces } from '../../codec/json/index.ts';
import type { ObjectList } from '../../registry/index.ts';
import type { Exchange, ResponseStream } from '../exchange.ts';
import { headersOf } from '../render.ts';
import type { AnswerForm } from './answer-form.ts';
import { encodedPieces } from './encoded-list.ts';
import { ReusedChunk } from './reused-chunk.ts';

/** Lists up to this size are sent as one piece, with their length. */
const wholeSize = 128 * 1024;
/** What may wait for the socket: enough to keep it busy, and little enough to stay in the caches of the processor. */
const mostPending = 256 * 1024;
/** Of a list that has to be read to be shown, so many pieces are made before others have their turn. */
const mostConverted = 8;
const tail = Buffer.from(']}\n');

/** Sends a list group by group, as fast as the client takes it: a list of any size needs little memory of its own. */
export function writeList(exchange: Exchange, list: ObjectList, form: AnswerForm): void | Promise<void> {
  const { pretty, mediaType } = form;
  const isConverted = form.representation !== undefined || form.encoding.name !== 'json';
  const chunk = new ReusedChunk();
  const compact = isConverted ? encodedPieces(list, form) : listPieces(list, chunk.room);
  const pieces = pretty ? indentedPieces(compact) : compact;
  const first: Buffer[] = [];
  let size = 0;
  while (size <= wholeSize && (!isConverted || first.length < mostConverted)) {
    const next = pieces.next();
    if (next.done) {
      exchange.respond(200, headersOf(exchange, mediaType), Buffer.concat(first, size));
      chunk.giveBack();
      return;
    }
    first.push(next.value);
    size += next.value.length;
    chunk.isFree &&= !chunk.holds(next.value);
  }
  return stream(exchange, first, { pieces, chunk, pretty, isConverted, mediaType });
}

interface Rest {
  readonly pieces: Generator<Buffer>;
  readonly chunk: ReusedChunk;
  readonly pretty: boolean;
  readonly isConverted: boolean;
  readonly mediaType: string;
}

async function stream(exchange: Exchange, first: readonly Buffer[], rest: Rest): Promise<void> {
  const { pieces, chunk, pretty, isConverted, mediaType } = rest;
  const response = exchange.respondStream(200, headersOf(exchange, mediaType));
  for (const piece of first) write(response, piece);
  if (!chunk.isFree) await response.drained();
  // Nothing is made for a client that has gone away, not even the next piece.
  while (!response.closed) {
    // Indentation and conversion are done with a group before they take the next one.
    chunk.isFree = pretty || isConverted || response.pendingBytes === 0;
    const next = pieces.next();
    if (next.done) {
      if (chunk.isFree) chunk.giveBack();
      response.end();
      return;
    }
    write(response, next.value);
    if (response.pendingBytes > mostPending || chunk.holds(next.value)) await response.drained();
    if (isConverted) await nextTurn();
  }
  pieces.return(undefined);
}

/** An empty piece only means that others had their turn. */
function write(response: ResponseStream, piece: Buffer): void {
  if (piece.length > 0) response.write(piece);
}

function* listPieces(list: ObjectList, room: (size: number) => Buffer): Generator<Buffer> {
  yield Buffer.from(head(list));
  let first = true;
  for (const group of list.items(room)) {
    // The first item of all has no comma before it.
    yield first ? group.subarray(1) : group;
    first = false;
  }
  yield tail;
}

function head({ kind, apiVersion, resourceVersion, continueToken, remainingItemCount }: ObjectList): string {
  // What is made up for the answer has no version.
  const metadata = { resourceVersion: resourceVersion || undefined, continue: continueToken, remainingItemCount };
  const opened = JSON.stringify({ kind, apiVersion, metadata });
  return `${opened.slice(0, -1)},"items":[`;
}
