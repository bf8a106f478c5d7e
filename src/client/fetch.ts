import type { ResourceObject } from '../meta/object.ts';

/** Sends one request to an API server, over the network or within the process. */
export type Fetch = (request: ApiRequest) => Promise<ApiResponse>;

export interface ApiRequest {
  readonly method: string;
  /** With the query, percent-encoded. */
  readonly path: string;
  /** Names are in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Cancels the exchange, also while the body is being read. */
  readonly signal?: AbortSignal;
  /** Requests watch events without encoding from a server in the same process. Other servers ignore it. */
  readonly takesEvents?: boolean;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The chunks as they were received. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Replaces the body of a watch. Events of the same moment are in one array. */
  readonly events?: AsyncIterable<readonly LocalEvent[]>;
}

/** A watch event that was not encoded. */
export interface LocalEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  /** Returns the object without managed fields. It is shared by all watchers and must not be modified. */
  object(representation: 'whole' | 'metadata'): ResourceObject;
}
