import type { Verbs } from '../../registry/index.ts';
import { answerForm, type Shown } from '../answers/answer-form.ts';
import { writeList } from '../answers/list-writer.ts';
import { booleanParameter, integerParameter } from '../query-values.ts';
import type { RequestContext } from '../request-context.ts';
import type { ResourceTarget } from '../request-info.ts';

export function handleList(
  context: RequestContext,
  target: ResourceTarget,
  { list, shown }: { list: NonNullable<Verbs['list']>; shown: Shown },
): void | Promise<void> {
  const { exchange } = context;
  const form = answerForm(context, shown, context.forms.lists);
  const result = list({ namespace: target.namespace, ...listParameters(context) });
  if (result instanceof Promise) return result.then((page) => writeList(exchange, page, form));
  return writeList(exchange, result, form);
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
