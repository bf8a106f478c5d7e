import protobuf, { type Reader, type Writer } from 'protobufjs/minimal.js';

// The messages of etcd's API v3 that are used here: rpc.proto and kv.proto by their field numbers. They are written by
// hand so that 64-bit integers are decoded as numbers, without an object for each.

export interface KeyValue {
  readonly key: string;
  readonly value: Buffer;
  readonly createRevision: number;
  readonly modRevision: number;
  /** The number of writes since the key was created. */
  readonly version: number;
}

export interface RangeRequest {
  readonly key: string;
  /** Exclusive. Undefined reads one key. */
  readonly end?: string;
  /** 0 means no limit. */
  readonly limit?: number;
  readonly revision?: number | undefined;
  readonly keysOnly?: boolean;
  readonly countOnly?: boolean;
}

export interface RangeResponse {
  readonly revision: number;
  readonly kvs: readonly KeyValue[];
  readonly more: boolean;
  readonly count: number;
  /** The size of the response. */
  readonly bytes: number;
}

/** Puts or deletes a key if its mod revision, or its version, is the expected one. Reads it otherwise. */
export interface TxnRequest {
  readonly key: string;
  readonly expected: { readonly modRevision: number } | { readonly version: number };
  /** Undefined deletes the key. */
  readonly value: Buffer | undefined;
  readonly lease?: number;
}

export interface TxnResponse {
  readonly revision: number;
  readonly succeeded: boolean;
  /** The current entry, if the comparison failed and there is one. */
  readonly current: KeyValue | undefined;
}

export interface WatchRequest {
  readonly key: string;
  readonly end: string;
  readonly startRevision: number;
}

export interface WatchedEvent {
  readonly deleted: boolean;
  readonly kv: KeyValue;
  readonly previous: KeyValue | undefined;
}

export interface WatchResponse {
  /** The ID of the cluster, rounded. */
  readonly clusterId: number;
  readonly revision: number;
  readonly created: boolean;
  readonly canceled: boolean;
  readonly compactRevision: number;
  readonly cancelReason: string;
  /** Whether the next response continues this one. */
  readonly fragment: boolean;
  readonly events: readonly WatchedEvent[];
}

export interface StatusResponse {
  readonly version: string;
  /** The size of the member's database. */
  readonly databaseBytes: number;
}

const noBytes = Buffer.alloc(0);
/** etcd's name for the first key, and as the end of a range for all keys from its start on. */
export const firstKey = '\0';

export function encodeRange(request: RangeRequest): Buffer {
  return finish(writeRange(protobuf.Writer.create(), request));
}

export function decodeRange(bytes: Buffer): RangeResponse {
  return readRange(readerOf(bytes), bytes.length);
}

/**
 * Returns the parts of the message. The value is the last one, so that it is not copied: fields may have any order.
 */
export function encodeTxn({ key, expected, value, lease = 0 }: TxnRequest): readonly Buffer[] {
  const writer = protobuf.Writer.create();
  // compare: the result is EQUAL, which is 0 and therefore not written.
  writer.uint32(field(1, 2)).fork();
  if ('modRevision' in expected) {
    writer.uint32(field(2, 0)).uint32(2).uint32(field(3, 2)).string(key);
    writer.uint32(field(6, 0)).int64(expected.modRevision);
  } else {
    writer.uint32(field(3, 2)).string(key).uint32(field(4, 0)).int64(expected.version);
  }
  writer.ldelim();
  // failure
  writer.uint32(field(3, 2)).fork();
  writeRange(writer.uint32(field(1, 2)).fork(), { key }).ldelim();
  writer.ldelim();
  // success
  const isPut = value !== undefined;
  const { length } = value ?? noBytes;
  const operation = protobuf.Writer.create().uint32(field(1, 2)).string(key);
  if (lease !== 0) operation.uint32(field(3, 0)).int64(lease);
  if (isPut) operation.uint32(field(2, 2)).uint32(length);
  const tag = field(isPut ? 2 : 3, 2);
  const size = operation.len + length;
  const headSize = protobuf.Writer.create().uint32(tag).uint32(size).len;
  writer
    .uint32(field(2, 2))
    .uint32(headSize + size)
    .uint32(tag)
    .uint32(size);
  return [finish(writer), finish(operation), ...(isPut ? [value] : [])];
}

export function decodeTxn(bytes: Buffer): TxnResponse {
  let revision = 0;
  let succeeded = false;
  let current: KeyValue | undefined;
  readFields(readerOf(bytes), bytes.length, (number, reader) => {
    if (number === 1) revision = readHeader(reader).revision;
    else if (number === 2) succeeded = reader.bool();
    else if (number === 3) current = readResponseOp(reader) ?? current;
    else return false;
    return true;
  });
  return { revision, succeeded, current: succeeded ? undefined : current };
}

export function encodeCompaction(revision: number): Buffer {
  return finish(protobuf.Writer.create().uint32(field(1, 0)).int64(revision));
}

export function encodeLeaseGrant({ id, seconds }: { id: number; seconds: number }): Buffer {
  return finish(protobuf.Writer.create().uint32(field(1, 0)).int64(seconds).uint32(field(2, 0)).int64(id));
}

export function ignoreResponse(): void {}

export function decodeStatus(bytes: Buffer): StatusResponse {
  const status = { version: '', databaseBytes: 0 };
  readFields(readerOf(bytes), bytes.length, (number, reader) => {
    if (number === 2) status.version = reader.string();
    else if (number === 3) status.databaseBytes = readInteger(reader);
    else return false;
    return true;
  });
  return status;
}

/** The types of the alarms that are raised: 1 means that the database is full, 2 that it is corrupt. */
export function decodeAlarms(bytes: Buffer): number[] {
  const alarms: number[] = [];
  readFields(readerOf(bytes), bytes.length, (number, reader) => {
    if (number !== 2) return false;
    readFields(reader, endOf(reader), (inner) => {
      if (inner !== 2) return false;
      alarms.push(reader.int32());
      return true;
    });
    return true;
  });
  return alarms;
}

/** Requests all changes with their previous entries. Large responses are fragmented. */
export function encodeWatch({ key, end, startRevision }: WatchRequest): Buffer {
  const writer = protobuf.Writer.create();
  writer.uint32(field(1, 2)).fork();
  writer.uint32(field(1, 2)).string(key).uint32(field(2, 2)).string(end);
  writer.uint32(field(3, 0)).int64(startRevision);
  writer.uint32(field(6, 0)).bool(true).uint32(field(8, 0)).bool(true);
  return finish(writer.ldelim());
}

export function encodeProgressRequest(): Buffer {
  return finish(protobuf.Writer.create().uint32(field(3, 2)).fork().ldelim());
}

export function decodeWatch(bytes: Buffer): WatchResponse {
  const response = {
    clusterId: 0,
    revision: 0,
    created: false,
    canceled: false,
    compactRevision: 0,
    cancelReason: '',
    fragment: false,
    events: [] as WatchedEvent[],
  };
  readFields(readerOf(bytes), bytes.length, (number, reader) => {
    if (number === 1) Object.assign(response, readHeader(reader));
    else if (number === 3) response.created = reader.bool();
    else if (number === 4) response.canceled = reader.bool();
    else if (number === 5) response.compactRevision = readInteger(reader);
    else if (number === 6) response.cancelReason = reader.string();
    else if (number === 7) response.fragment = reader.bool();
    else if (number === 11) response.events.push(readEvent(reader));
    else return false;
    return true;
  });
  return response;
}

function writeRange(writer: Writer, request: RangeRequest): Writer {
  writer.uint32(field(1, 2)).string(request.key);
  if (request.end !== undefined) writer.uint32(field(2, 2)).string(request.end);
  if (request.limit) writer.uint32(field(3, 0)).int64(request.limit);
  if (request.revision) writer.uint32(field(4, 0)).int64(request.revision);
  if (request.keysOnly) writer.uint32(field(8, 0)).bool(true);
  if (request.countOnly) writer.uint32(field(9, 0)).bool(true);
  return writer;
}

function readRange(reader: Reader, end: number): RangeResponse {
  const bytes = end - reader.pos;
  let revision = 0;
  const kvs: KeyValue[] = [];
  let more = false;
  let count = 0;
  readFields(reader, end, (number) => {
    if (number === 1) revision = readHeader(reader).revision;
    else if (number === 2) kvs.push(readKeyValue(reader, ownBytes));
    else if (number === 3) more = reader.bool();
    else if (number === 4) count = readInteger(reader);
    else return false;
    return true;
  });
  return { revision, kvs, more, count, bytes };
}

/** The entry of a range response. The results of the other operations are not needed. */
function readResponseOp(reader: Reader): KeyValue | undefined {
  let current: KeyValue | undefined;
  readFields(reader, endOf(reader), (number) => {
    if (number !== 1) return false;
    [current] = readRange(reader, endOf(reader)).kvs;
    return true;
  });
  return current;
}

function readHeader(reader: Reader): { readonly clusterId: number; readonly revision: number } {
  let clusterId = 0;
  let revision = 0;
  readFields(reader, endOf(reader), (number) => {
    if (number === 1) clusterId = readInteger(reader);
    else if (number === 3) revision = readInteger(reader);
    else return false;
    return true;
  });
  return { clusterId, revision };
}

function readEvent(reader: Reader): WatchedEvent {
  let deleted = false;
  let kv: KeyValue | undefined;
  let previous: KeyValue | undefined;
  readFields(reader, endOf(reader), (number) => {
    if (number === 1) deleted = reader.int32() === 1;
    else if (number === 2) kv = readKeyValue(reader, lasting);
    else if (number === 3) previous = readKeyValue(reader, lasting);
    else return false;
    return true;
  });
  if (kv === undefined) throw new RangeError('an event without a key');
  return { deleted, kv, previous };
}

function readKeyValue(reader: Reader, own: (bytes: Buffer, messageLength: number) => Buffer): KeyValue {
  let key = '';
  let value: Buffer = noBytes;
  let createRevision = 0;
  let modRevision = 0;
  let version = 0;
  readFields(reader, endOf(reader), (number) => {
    if (number === 1) key = reader.string();
    else if (number === 2) createRevision = readInteger(reader);
    else if (number === 3) modRevision = readInteger(reader);
    else if (number === 4) version = readInteger(reader);
    else if (number === 5) value = own(reader.bytes() as Buffer, reader.len);
    else return false;
    return true;
  });
  return { key, value, createRevision, modRevision, version };
}

/** A small part of a message is copied, because it would keep the memory of the whole message in use. */
function ownBytes(bytes: Buffer, messageLength: number): Buffer {
  return bytes.length * 2 < messageLength ? Buffer.from(bytes) : bytes;
}

/** Events are kept for watches that start later. In memory of their own, they do not keep other bytes in use. */
function lasting(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

/** Calls back for each field up to the end. Fields for which it returns false, having read nothing, are skipped. */
function readFields(reader: Reader, end: number, read: (number: number, reader: Reader) => boolean): void {
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (!read(tag >>> 3, reader)) reader.skipType(tag & 7);
  }
}

/** The end of the message that starts here, with its length. */
function endOf(reader: Reader): number {
  const length = reader.uint32();
  return reader.pos + length;
}

/** Revisions are far below 2^53. Larger integers (identifiers) are rounded. */
function readInteger(reader: Reader): number {
  let value = 0;
  for (let factor = 1; ; factor *= 128) {
    if (reader.pos >= reader.len) throw new RangeError('the message ends inside an integer');
    const byte = reader.buf[reader.pos++]!;
    value += (byte & 127) * factor;
    if (byte < 128) return value;
  }
}

function readerOf(bytes: Buffer): Reader {
  return protobuf.Reader.create(bytes);
}

function field(number: number, wireType: 0 | 2): number {
  return (number << 3) | wireType;
}

function finish(writer: Writer): Buffer {
  return writer.finish() as Buffer;
}
