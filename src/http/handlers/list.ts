import { badRequest } from '../../meta/status-error.ts';
import type { ObjectList, Verbs } from '../../registry/index.ts';
import type { Exchange } from '../exchange.ts';
import { writeList } from '../list-writer.ts';
import { negotiator } from '../object-negotiation.ts';
import type { RequestContext } from '../request-context.ts';
import { flag, type ResourceTarget } from '../request-info.ts';

export function handleList(
  context: RequestContext,
  target: ResourceTarget,
  list: NonNullable<Verbs['list']>,
): void | Promise<void> {
  negotiator.choose(context.exchange.header('accept'));
  const result = list({ namespace: target.namespace, ...listParameters(context) });
  if (result instanceof Promise) return result.then((page) => respondList(context.exchange, page));
  return respondList(context.exchange, result);
}

export function respondList(exchange: Exchange, page: ObjectList): void | Promise<void> {
  return writeList(exchange, page);
}

export function listParameters(context: RequestContext) {
  // Means nothing here, but has to be a number all the same.
  integerParameter(context, 'timeoutSeconds');
  return {
    labelSelector: context.parameter('labelSelector'),
    fieldSelector: context.parameter('fieldSelector'),
    resourceVersion: context.parameter('resourceVersion'),
    resourceVersionMatch: context.parameter('resourceVersionMatch'),
    limit: Math.max(0, integerParameter(context, 'limit') ?? 0),
    continueToken: context.parameter('continue'),
    sendInitialEvents: context.exchange.query === '' ? undefined : flag(context.query, 'sendInitialEvents'),
  };
}

export function integerParameter(context: RequestContext, name: string): number | undefined {
  if (context.exchange.query === '') return undefined;
  const text = context.query.get(name);
  if (text === null) return undefined;
  if (!/^[+-]?[0-9]+$/.test(text))
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  const value = Number(text);
  if (value > 2 ** 63 - 1) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`);
  return value;
}
