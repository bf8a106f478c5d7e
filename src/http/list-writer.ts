import { setImmediate as nextTurn } from 'node:timers/promises';
import { indentedPieces } from '../codec/json/index.ts';
import type { ObjectList } from '../registry/index.ts';
import type { Exchange } from './exchange.ts';
import { jsonHeaders } from './render.ts';
import { ReusedChunk } from './reused-chunk.ts';
import type { AnswerForm } from './table/answer-form.ts';
import { representedPieces } from './table/list-pieces.ts';

/** Lists up to this size are sent as one piece, with their length. */
const wholeSize = 128 * 1024;
/** What may wait for the socket: enough to keep it busy, and little enough to stay in the caches of the processor. */
const mostPending = 256 * 1024;
/** Of a list that has to be read to be shown, so many pieces are made before others have their turn. */
const mostConverted = 8;
const tail = Buffer.from(']}\n');

/** Sends a list group by group, as fast as the client takes it: a list of any size needs little memory of its own. */
export function writeList(exchange: Exchange, list: ObjectList, form: AnswerForm): void | Promise<void> {
  const { representation, pretty } = form;
  const chunk = new ReusedChunk();
  const compact =
    representation === undefined ? listPieces(list, chunk.room) : representedPieces(list, representation, chunk.room);
  const pieces = pretty ? indentedPieces(compact) : compact;
  const first: Buffer[] = [];
  let size = 0;
  while (size <= wholeSize && (representation === undefined || first.length < mostConverted)) {
    const next = pieces.next();
    if (next.done) {
      exchange.respond(200, jsonHeaders(exchange), Buffer.concat(first, size));
      chunk.giveBack();
      return;
    }
    first.push(next.value);
    size += next.value.length;
    chunk.isFree &&= !chunk.holds(next.value);
  }
  return stream(exchange, first, { pieces, chunk, pretty, isConverted: representation !== undefined });
}

interface Rest {
  readonly pieces: Generator<Buffer>;
  readonly chunk: ReusedChunk;
  readonly pretty: boolean;
  readonly isConverted: boolean;
}

async function stream(exchange: Exchange, first: readonly Buffer[], rest: Rest): Promise<void> {
  const { pieces, chunk, pretty, isConverted } = rest;
  const response = exchange.respondStream(200, jsonHeaders(exchange));
  for (const piece of first) response.write(piece);
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
    response.write(next.value);
    if (response.pendingBytes > mostPending || chunk.holds(next.value)) await response.drained();
    if (isConverted) await nextTurn();
  }
  pieces.return(undefined);
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
