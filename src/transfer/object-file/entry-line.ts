import { isUtf8 } from 'node:buffer';
import { decodeJson } from '../../codec/json/index.ts';
import { DecodeError } from '../../meta/decode-error.ts';
import type { StoredEntry } from '../../storage/index.ts';

/** The lines of a file of objects: a head, a line for each object in key order, an end. */
export interface FileHead {
  readonly revision: number;
}

export interface FileEnd {
  readonly count: number;
  /** SHA-256 of all keys and values. */
  readonly sha256: string;
}

const format = 'keelson-objects';
const version = 1;

export function headLine({ revision }: FileHead): string {
  return `${JSON.stringify({ format, version, revision })}\n`;
}

export function endLine({ count, sha256 }: FileEnd): string {
  return `${JSON.stringify({ end: true, count, sha256 })}\n`;
}

/** The object keeps its bytes, so that it is stored unchanged. */
export function entryLine({ key, value, createRevision, modRevision }: StoredEntry): Buffer {
  const head = `{"key":${JSON.stringify(key)},"createRevision":${createRevision},"modRevision":${modRevision},"object":`;
  return Buffer.concat([Buffer.from(head), value, Buffer.from('}\n')]);
}

/** Undefined when the line is not the head of a file that this version can read. */
export function readHead(line: Buffer): FileHead | undefined {
  const { format: name, version: number, revision } = parsed(line) ?? {};
  return name === format && number === version && isRevision(revision) ? { revision } : undefined;
}

/** Undefined when the line is not the end. */
export function readEnd(line: Buffer): FileEnd | undefined {
  const { end, count, sha256 } = parsed(line) ?? {};
  return end === true && typeof count === 'number' && typeof sha256 === 'string' ? { count, sha256 } : undefined;
}

const entryHead = /^\{"key":("(?:[^"\\]|\\.)*"),"createRevision":(\d{1,15}),"modRevision":(\d{1,15}),"object":\{/;
const maxHeadBytes = 16 * 1024;

/** Undefined when the line is not that of an object. */
export function readEntry(line: Buffer): StoredEntry | undefined {
  const match = entryHead.exec(line.toString('utf8', 0, maxHeadBytes));
  if (match === null || line.at(-1) !== 0x7d || !isUtf8(line)) return undefined;
  const [head, keyText, createRevision, modRevision] = match;
  const value = Buffer.from(line.subarray(Buffer.byteLength(head) - 1, -1));
  try {
    decodeJson(value);
    const key = JSON.parse(keyText!) as string;
    return { key, value, createRevision: Number(createRevision), modRevision: Number(modRevision) };
  } catch (error) {
    if (error instanceof DecodeError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function parsed(line: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line.toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function isRevision(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
