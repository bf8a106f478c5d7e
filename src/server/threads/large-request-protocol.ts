import type { X509Certificate } from 'node:crypto';
import type { ResponseHeaders } from '../../http/exchange.ts';
import type { Status } from '../../meta/status-error.ts';

/** A request with a large body, without this body. */
export interface LargeRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly rawHeaders: readonly string[];
  /** The joined values by name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly remoteAddress: string;
  /** Whether the server itself made the request. It then has no credential by which the other thread could tell. */
  readonly isOwn: boolean;
  /** The certificate of the client and the intermediate ones that it sent. */
  readonly certificates: readonly X509Certificate[];
  readonly certificateTrusted: boolean;
  readonly secure: boolean;
}

/** Messages of the thread that has the connection. `id` identifies the request. */
export type ConnectionMessage =
  | { readonly type: 'begin'; readonly id: number; readonly request: LargeRequest }
  | { readonly type: 'body'; readonly id: number; readonly body: Uint8Array<ArrayBuffer> }
  | { readonly type: 'no body'; readonly id: number; readonly status: Status & { readonly code: number } }
  /** The client has disconnected. */
  | { readonly type: 'end'; readonly id: number };

/** Messages of the thread that handles the request. */
export type HandlerMessage =
  | { readonly type: 'read body'; readonly id: number; readonly limit: number }
  | {
      readonly type: 'respond';
      readonly id: number;
      readonly status: number;
      readonly headers: ResponseHeaders;
      readonly body: Uint8Array<ArrayBuffer>;
    }
  | { readonly type: 'abort'; readonly id: number }
  /** No further requests on the connection. */
  | { readonly type: 'shut down connection'; readonly id: number }
  /** The thread is stopping and has not begun with the request. */
  | { readonly type: 'refuse'; readonly id: number };
