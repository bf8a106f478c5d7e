import type { Verbs } from '../../registry/index.ts';
import { negotiator } from '../object-negotiation.ts';
import { respondDocument } from '../render.ts';
import type { RequestContext } from '../request-context.ts';
import type { ResourceTarget } from '../request-info.ts';

export function handleGet(
  context: RequestContext,
  target: ResourceTarget,
  get: NonNullable<Verbs['get']>,
): void | Promise<void> {
  const { exchange } = context;
  negotiator.choose(exchange.header('accept'));
  const document = get({
    namespace: target.namespace,
    name: target.name,
    resourceVersion: context.parameter('resourceVersion'),
  });
  if (document instanceof Promise) return document.then((bytes) => respondDocument(exchange, 200, bytes));
  respondDocument(exchange, 200, document);
}
