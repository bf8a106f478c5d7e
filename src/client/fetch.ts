import type { ResourceObject } from '../meta/object.ts';

/** One request to an API server and its answer: over the network or within the process. */
export type Fetch = (request: ApiRequest) => Promise<ApiResponse>;

export interface ApiRequest {
  readonly method: string;
  /** With the query, percent-encoded. */
  readonly path: string;
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends the exchange, also while the body is being read. */
  readonly signal?: AbortSignal;
  /** The events of a watch are wanted as they are, from a server that is in the same process. Others do not look at it. */
  readonly takesEvents?: boolean;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** In the pieces in which it arrives. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Instead of a body: the events of a watch, those of one moment together. */
  readonly events?: AsyncIterable<readonly LocalEvent[]>;
}

/** An event of a watch that has not been through an encoding. */
export interface LocalEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  /** Without the managed fields, and the same for all who ask: it must not be changed. */
  object(form: 'whole' | 'metadata'): ResourceObject;
}
