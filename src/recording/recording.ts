import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseExactJson } from './exact-json.ts';

/** The first line of a recording. */
export interface RecordingHeader {
  readonly keelsonRecording: 1;
}

export const header: RecordingHeader = { keelsonRecording: 1 };

export interface RecordedRequest {
  readonly type: 'request';
  /** Numbers the requests in the order of their arrival, from 1. */
  readonly id: number;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed. Absent without a body. */
  readonly body?: unknown;
  /** Why the body is not here, if it had one. */
  readonly omitted?: string;
}

export interface RecordedResponse {
  readonly type: 'response';
  readonly id: number;
  readonly status: number;
  readonly contentType: string;
  /** Parsed if it is JSON, otherwise a text. Absent for streams. */
  readonly body?: unknown;
  readonly omitted?: string;
  /** Whether events follow. */
  readonly stream?: true;
}

export interface RecordedEvent {
  readonly type: 'event';
  readonly id: number;
  readonly event: unknown;
}

/** The end of a stream. */
export interface RecordedEnd {
  readonly type: 'end';
  readonly id: number;
  /** The side that ended it. */
  readonly by: 'client' | 'server';
}

/** One line. They are in the order in which the recorder saw them happen. */
export type RecordedStep = RecordedRequest | RecordedResponse | RecordedEvent | RecordedEnd;

/** Reads a recording step by step. Throws a RangeError for a file that is none. */
export async function* readRecording(file: string): AsyncGenerator<RecordedStep> {
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
    if (line === '') continue;
    const value = parsed(line, `${file}:${number}`);
    if (number > 1) yield value as RecordedStep;
    else if ((value as Partial<RecordingHeader>).keelsonRecording !== header.keelsonRecording) {
      throw new RangeError(`${file} is not a recording of version ${header.keelsonRecording}`);
    }
  }
  if (number === 0) throw new RangeError(`${file} is empty`);
}

function parsed(line: string, place: string): object {
  try {
    const value = parseExactJson(line);
    if (typeof value === 'object' && value !== null) return value;
  } catch (error) {
    throw new RangeError(`${place} is not JSON: ${(error as Error).message}`, { cause: error });
  }
  throw new RangeError(`${place} is not a JSON object`);
}
