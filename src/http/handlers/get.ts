import { badRequest } from '../../meta/status-error.ts';
import type { Verbs } from '../../registry/index.ts';
import { answerForm, type Shown } from '../answers/answer-form.ts';
import { respondObject } from '../answers/respond-object.ts';
import { booleanParameter } from '../query-values.ts';
import type { RequestContext } from '../request-context.ts';
import type { ResourceTarget } from '../request-info.ts';

export function handleGet(
  context: RequestContext,
  target: ResourceTarget,
  { get, shown }: { get: NonNullable<Verbs['get']>; shown: Shown },
): void | Promise<void> {
  const { exchange } = context;
  refuseExport(context);
  const form = answerForm(context, shown, context.forms.objects);
  const document = get({
    namespace: target.namespace,
    name: target.name,
    resourceVersion: context.parameter('resourceVersion'),
  });
  if (document instanceof Promise) {
    return document.then((bytes) => respondObject(exchange, form, { status: 200, document: bytes }));
  }
  respondObject(exchange, form, { status: 200, document });
}

/** Exported objects could be created again as they were. Ordinary objects must not be mistaken for them. */
function refuseExport(context: RequestContext): void {
  if (booleanParameter(context, 'export') !== true) return;
  throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
}
