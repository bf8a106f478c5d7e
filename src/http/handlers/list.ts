import type { Verbs } from '../../registry/index.ts';
import { booleanParameter, integerParameter } from '../query-values.ts';
import type { RequestContext } from '../request-context.ts';
import type { ResourceTarget } from '../request-info.ts';
import { writeList } from '../responses/list-writer.ts';
import { outputFormat, type ServedType } from '../responses/output-format.ts';

export function handleList(
  context: RequestContext,
  target: ResourceTarget,
  { list, servedType }: { list: NonNullable<Verbs['list']>; servedType: ServedType },
): void | Promise<void> {
  const { exchange } = context;
  const format = outputFormat(context, servedType, context.formats.lists);
  const result = list({ namespace: target.namespace, ...listParameters(context) });
  if (!(result instanceof Promise)) return writeList(exchange, result, format);
  return result.then((page) => {
    context.reached('storage');
    return writeList(exchange, page, format);
  });
}

export function listParameters(context: RequestContext) {
  // These have no effect here, but must be well formed.
  integerParameter(context, 'timeoutSeconds');
  booleanParameter(context, 'watch');
  booleanParameter(context, 'allowWatchBookmarks');
  return {
    labelSelector: context.parameter('labelSelector'),
    fieldSelector: context.parameter('fieldSelector'),
    resourceVersion: context.parameter('resourceVersion'),
    resourceVersionMatch: context.parameter('resourceVersionMatch'),
    limit: Math.max(0, integerParameter(context, 'limit') ?? 0),
    continueToken: context.parameter('continue'),
    sendInitialEvents: booleanParameter(context, 'sendInitialEvents'),
  };
}
