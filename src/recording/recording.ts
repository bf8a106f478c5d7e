import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseExactJson } from './exact-json.ts';

/** The first line of a recording. */
export interface RecordingHeader {
  readonly keelsonRecording: 1;
}

export const recordingHeader: RecordingHeader = { keelsonRecording: 1 };

export interface RecordedRequest {
  readonly type: 'request';
  /** Numbers the requests in the order of their arrival, from 1. */
  readonly id: number;
  readonly method: string;
  /** The path with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body. Absent if the request had none. */
  readonly body?: unknown;
  /** Why the body was omitted. */
  readonly omitted?: string;
}

export interface RecordedResponse {
  readonly type: 'response';
  readonly id: number;
  readonly status: number;
  readonly contentType: string;
  /** The parsed body if it is JSON, otherwise its text. Absent for streams. */
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

/** One line. The lines are in the order in which the recorder saw the steps. */
export type RecordedStep = RecordedRequest | RecordedResponse | RecordedEvent | RecordedEnd;

/** Reads a recording step by step. Throws a RangeError if the file is not a recording. */
export async function* readRecording(file: string): AsyncGenerator<RecordedStep> {
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
    if (line === '') continue;
    const value = parsed(line, `${file}:${number}`);
    if (number > 1) yield value as RecordedStep;
    else if ((value as Partial<RecordingHeader>).keelsonRecording !== recordingHeader.keelsonRecording) {
      throw new RangeError(`${file} is not a recording of version ${recordingHeader.keelsonRecording}`);
    }
  }
  if (number === 0) throw new RangeError(`${file} is empty`);
}

function parsed(line: string, location: string): object {
  try {
    const value = parseExactJson(line);
    if (typeof value === 'object' && value !== null) return value;
  } catch (error) {
    throw new RangeError(`${location} is not JSON: ${(error as Error).message}`, { cause: error });
  }
  throw new RangeError(`${location} is not a JSON object`);
}
