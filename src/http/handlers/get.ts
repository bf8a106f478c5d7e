import type { Verbs } from '../../registry/index.ts';
import { answerForm, type Shown } from '../answers/answer-form.ts';
import { respondObject } from '../answers/respond-object.ts';
import type { RequestContext } from '../request-context.ts';
import type { ResourceTarget } from '../request-info.ts';

export function handleGet(
  context: RequestContext,
  target: ResourceTarget,
  { get, shown }: { get: NonNullable<Verbs['get']>; shown: Shown },
): void | Promise<void> {
  const { exchange } = context;
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
