import { posix } from 'node:path';
import { DecodeError } from '../../meta/decode-error.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import { badRequest, routeMethodNotAllowed } from '../../meta/status-error.ts';
import { canonicalTime } from '../../meta/time.ts';
import type { SubresourceDefinition } from '../../registry/resource-definition.ts';
import type { Schema, StructSchema } from '../../schema/model.ts';
import { integerValue } from '../query-values.ts';
import type { RequestContext } from '../request-context.ts';
import type { ResourceTarget } from '../request-info.ts';

/** The options of a connection, such as a PodExecOptions without kind and apiVersion. */
export type ConnectOptions = Readonly<Record<string, unknown>>;

export interface ConnectRequest {
  readonly context: RequestContext;
  readonly target: ResourceTarget;
  readonly options: ConnectOptions;
  /** Aborts when the server stops. */
  readonly stop: AbortSignal;
}

/**
 * Connects the client to something outside of the server: responds to the exchange, or throws the error to respond
 * with.
 */
export type Connect = (request: ConnectRequest) => MaybePromise<void>;

export interface ConnectHandling {
  readonly connect: Connect;
  readonly subresource: SubresourceDefinition;
  /** The schema of the options. */
  readonly schema: StructSchema;
  readonly stop: AbortSignal;
}

/** Methods that only proxy subresources support. */
const proxyMethods = new Set(['HEAD', 'OPTIONS']);

const verbsOfMethods: Readonly<Record<string, string>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

export function handleConnect(
  context: RequestContext,
  target: ResourceTarget,
  { connect, subresource, schema, stop }: ConnectHandling,
): MaybePromise<void> {
  const { exchange } = context;
  const { verbs } = subresource;
  const isProxy = verbs.includes('update');
  const verb = verbsOfMethods[exchange.method];
  const isAllowed =
    verb === undefined ? isProxy && proxyMethods.has(exchange.method) : verbs.some((one) => one === verb);
  if (!isAllowed) throw routeMethodNotAllowed();
  if (exchange.query.includes('dryRun') && context.query.has('dryRun')) throw badRequest('dryRun is not supported');
  const options = connectOptions(context, schema);
  // The path of a proxy is part of the path of the request. Policies see the same path as the backend.
  if (isProxy) options.path = target.rest === '' ? '' : posix.normalize(decodeURIComponent(target.rest));
  return connect({ context, target, options, stop });
}

function connectOptions(context: RequestContext, schema: StructSchema): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  for (const { name, schema: type } of schema.fields) {
    const values = context.exchange.query === '' ? [] : context.query.getAll(name);
    if (values.length > 0) options[name] = optionOf(values, type);
  }
  return options;
}

/** Reads an option from the query as Kubernetes does: the first value counts unless the field is a list. */
function optionOf(values: readonly string[], schema: Schema): unknown {
  if (schema.type === 'list') return values.flatMap((value) => itemsOf(value, schema.items));
  return scalarOf(values[0]!, schema);
}

function itemsOf(text: string, schema: Schema): unknown[] {
  const isNumber = schema.type === 'scalar' && schema.kind.startsWith('int');
  return isNumber ? text.split(',').map((item) => scalarOf(item, schema)) : [text];
}

function scalarOf(text: string, schema: Schema): unknown {
  switch (schema.type === 'scalar' ? schema.kind : undefined) {
    case 'string':
      return text;
    case 'bool':
      return text !== '0' && text.toLowerCase() !== 'false';
    case 'int32':
    case 'int64':
      return integerValue(text);
    case 'time':
      return timeOf(text);
    default:
      throw new TypeError(`a ${schema.type} cannot be read from a query`);
  }
}

function timeOf(text: string): string | null {
  try {
    return canonicalTime(text);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw badRequest(error.message, { cause: error });
  }
}
