import { hash } from 'node:crypto';
import { timestamp } from '../../meta/clock.ts';
import { apiVersionOf } from '../../meta/group-version.ts';
import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { alreadyExists } from '../../meta/status-error.ts';
import type { CreateRequest } from '../resource.ts';
import type { ResourceContext } from '../resource-context.ts';
import { canonicalResult } from './apply.ts';
import { newObject } from './create.ts';
import { prepareUpdate } from './prepare-update.ts';

/** An object of the server itself. */
export interface DefaultObject extends Pick<CreateRequest, 'user' | 'fieldManager'> {
  /** Its bytes are cached until the process ends. */
  readonly object: ResourceObject;
  /** Applied to the new object. Its times are replaced by the creation time. */
  readonly status?: { readonly value: object; readonly fieldManager: string } | undefined;
}

const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;

/** The stored document of a new object, and the offsets of the values that differ between servers. */
export interface PreparedObject {
  readonly document: string;
  readonly uid: number;
  readonly times: readonly number[];
}

/** By the digest of the wanted object. */
const prepared = new Map<string, PreparedObject>();

/** All objects that this process has prepared, for other processes. */
export function preparedObjects(): Readonly<Record<string, PreparedObject>> {
  return Object.fromEntries(prepared);
}

/** Adds objects that another process has prepared. */
export function addPreparedObjects(objects: Readonly<Record<string, PreparedObject>>): void {
  for (const [digest, object] of Object.entries(objects)) prepared.set(digest, object);
}

/**
 * Creates an object of the server from bytes that are prepared once per process, or earlier. They equal the bytes of
 * the same object created by a request, but there is no admission or validation. Rejects with a StatusError if the name
 * is taken.
 */
export async function createPrepared(context: ResourceContext, wanted: DefaultObject): Promise<void> {
  const { namespace = '', name = '' } = wanted.object.metadata;
  const value = await preparedBytes(context, wanted);
  let isTaken = false;
  await context.update(
    { namespace, name },
    (current) => {
      isTaken = current !== undefined;
      return isTaken ? { action: 'keep' } : { action: 'put', value };
    },
    { expectAbsent: true },
  );
  if (isTaken) throw alreadyExists(context.groupResource, name);
}

function preparedBytes(context: ResourceContext, wanted: DefaultObject): MaybePromise<Buffer> {
  const { namespace = '', name = '' } = wanted.object.metadata;
  const now = timestamp(context.clock);
  const digest = hash('sha1', JSON.stringify([context.groupResource, wanted]));
  const known = prepared.get(digest);
  if (known !== undefined) {
    return bytesOf(known, { uid: context.identity.uuid(context.keys.of(namespace, name)), now });
  }
  return mapMaybe(prepare(context, wanted), (object) => {
    prepared.set(digest, object);
    // This server has already generated the uid. With a seed, another call would return a different one.
    return bytesOf(object, { now });
  });
}

/** Without a uid, that of the first server is used. */
function bytesOf({ document, ...offsets }: PreparedObject, { uid = '', now }: { uid?: string; now: string }): Buffer {
  const bytes = Buffer.from(document, 'latin1');
  bytes.write(uid, offsets.uid, 'latin1');
  for (const offset of offsets.times) bytes.write(now, offset, 'latin1');
  return bytes;
}

function prepare(context: ResourceContext, wanted: DefaultObject): MaybePromise<PreparedObject> {
  const { object } = wanted;
  const created = newObject(context, object, wanted);
  const complete = wanted.status === undefined ? created : withStatus(context, created, wanted.status);
  return mapMaybe(context.codec.put(complete), (decision) => {
    if (decision.action !== 'put') throw new TypeError('a new object is not stored');
    // Each byte is a character, so that offsets are the same in both.
    const document = decision.value.toString('latin1');
    const times = Array.from(document.matchAll(time), ({ index }) => index);
    return { document, uid: document.indexOf(complete.metadata.uid!), times };
  });
}

function withStatus(
  context: ResourceContext,
  live: ResourceObject,
  { value, fieldManager }: NonNullable<DefaultObject['status']>,
): ResourceObject {
  const { kind } = context.definition;
  const { name, uid } = live.metadata;
  const applied = { apiVersion: apiVersionOf(context.definition), kind, metadata: { name, uid }, status: value };
  const writer = { manager: fieldManager, subresource: 'status' };
  const merged = context.ownership.applied({ live, applied, force: true }, writer);
  const { object: sent } = canonicalResult(context, merged);
  return prepareUpdate(context, { sent, oldObject: live }, 'status');
}
