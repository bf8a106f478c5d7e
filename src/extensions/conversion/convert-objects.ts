import { encodeJson } from '../../codec/json/index.ts';
import { parseApiVersion } from '../../meta/group-version.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { StatusError } from '../../meta/status-error.ts';
import { Turn } from '../../meta/turns.ts';
import { ConvertedObjectError, restoreObject } from './converted-object.ts';
import type { JoinedCalls } from './joined-calls.ts';

/** Maps the JSON of objects to the results of the webhook. */
export type ConversionCalls = JoinedCalls<string, unknown>;

/** The webhook answered with too few or too many objects. */
export class CountError extends Error {
  override readonly name = 'CountError';
}

export function conversionFailure(message: string, options?: ErrorOptions): StatusError {
  return new StatusError({ code: 500, reason: '', message }, options);
}

/**
 * Sends the objects that have another version, in parts that fit into a call. A part is sent after the response to the
 * one before, so that a large list does not fill the memory. Rejects with a StatusError.
 */
export async function convertObjects(
  objects: readonly ResourceObject[],
  desiredApiVersion: string,
  calls: ConversionCalls,
): Promise<ResourceObject[]> {
  const others = objects.filter(({ apiVersion }) => apiVersion !== desiredApiVersion);
  const converted: ResourceObject[] = [];
  const turn = new Turn();
  while (converted.length < others.length) {
    const { texts, bytes } = await encodeBatch(others, converted.length, { calls, turn });
    const values = await sent(calls.send(texts, bytes), others[converted.length]!);
    for (const value of values) {
      if (turn.isOver) await turn.next();
      converted.push(restored(others, converted.length, { value, desiredApiVersion }));
    }
  }
  let next = 0;
  return objects.map((object) => (object.apiVersion === desiredApiVersion ? object : converted[next++]!));
}

interface Batch {
  readonly texts: string[];
  readonly bytes: number;
}

async function encodeBatch(
  objects: readonly ResourceObject[],
  start: number,
  { calls, turn }: { readonly calls: ConversionCalls; readonly turn: Turn },
): Promise<Batch> {
  const texts: string[] = [];
  let bytes = 0;
  for (const object of objects.slice(start, start + calls.maxItems)) {
    if (turn.isOver) await turn.next();
    const text = encodeJson(object);
    const size = Buffer.byteLength(text);
    if (texts.length > 0 && !calls.fits(texts.length + 1, bytes + size)) break;
    texts.push(text);
    bytes += size;
  }
  return { texts, bytes };
}

async function sent(call: Promise<unknown[]>, first: ResourceObject): Promise<unknown[]> {
  try {
    return await call;
  } catch (cause) {
    // This server stops, which is no failure of the webhook.
    if (cause instanceof StatusError) throw cause;
    const { message } = cause as Error;
    const problem = cause instanceof CountError ? message : `failed: ${message}`;
    throw conversionFailure(`conversion webhook for ${typeOf(first)} ${problem}`, { cause });
  }
}

/** kube-apiserver uses different messages for a single object and for an object in a list. */
const singleTexts = {
  object: '',
  type: 'returned invalid object at index 0: ',
  identity: 'returned invalid object: ',
  metadata: 'returned invalid metadata: ',
};
const listTexts = {
  object: 'returned invalid converted object at index ',
  type: 'returned invalid converted object at index ',
  identity: 'returned invalid converted object at index ',
  metadata: 'returned invalid metadata in object at index ',
};

function restored(
  originals: readonly ResourceObject[],
  index: number,
  { value, desiredApiVersion }: { readonly value: unknown; readonly desiredApiVersion: string },
): ResourceObject {
  const original = originals[index]!;
  try {
    return restoreObject(original, value, desiredApiVersion);
  } catch (cause) {
    if (!(cause instanceof ConvertedObjectError)) throw cause;
    const { aspect, message } = cause;
    const isSingle = originals.length === 1;
    if (isSingle && aspect === 'object') throw conversionFailure(message, { cause });
    const problem = isSingle ? `${singleTexts[aspect]}${message}` : `${listTexts[aspect]}${index}: ${message}`;
    throw conversionFailure(`conversion webhook for ${typeOf(original)} ${problem}`, { cause });
  }
}

function typeOf({ apiVersion = '', kind = '' }: ResourceObject): string {
  const { group, version } = parseApiVersion(apiVersion);
  return `${group}/${version}, Kind=${kind}`;
}
