import type { GroupVersionKind } from './kind-index.ts';
import type { Parameter } from './parameters.ts';
import type { DocumentType } from './published-type.ts';

export type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch';

/** The operations of a path, independent of the dialect. */
export interface PathItem {
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly operations: readonly Operation[];
}

export interface Operation {
  readonly method: Method;
  readonly id: string;
  readonly tag: string;
  readonly description: string;
  readonly action?: Action;
  readonly kind?: GroupVersionKind;
  readonly parameters: readonly Parameter[];
  readonly body?: Body;
  /** The media types of the body. Undefined when the document states none. */
  readonly consumes?: readonly string[];
  readonly produces: readonly string[];
  /** The responses besides 401, which every operation has. */
  readonly responses: readonly Response[];
}

export type Action =
  | 'get'
  | 'list'
  | 'watch'
  | 'watchlist'
  | 'post'
  | 'put'
  | 'patch'
  | 'delete'
  | 'deletecollection'
  | 'connect';

export interface Body {
  readonly type: DocumentType;
  readonly required: boolean;
}

export interface Response {
  readonly code: 200 | 201 | 202;
  /** 'text' for plain text, undefined when nothing is known. */
  readonly type: DocumentType | 'text' | undefined;
}

/** The media types of objects that the server reads and writes. */
export interface ServedMediaTypes {
  readonly objects: readonly string[];
  /** The media types of request bodies, as documents state them. */
  readonly bodies: readonly string[];
  /** The media types of watches, with parameters. Empty when documents state none. */
  readonly streams: readonly string[];
  readonly patches: readonly string[];
}

export const responseDescriptions = { 200: 'OK', 201: 'Created', 202: 'Accepted', 401: 'Unauthorized' } as const;
