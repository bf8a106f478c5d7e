import { badRequest } from '../../meta/status-error.ts';
import type { Verbs } from '../../registry/index.ts';
import { booleanParameter } from '../query-values.ts';
import type { RequestContext } from '../request-context.ts';
import type { ResourceTarget } from '../request-info.ts';
import { outputFormat, type ServedType } from '../responses/output-format.ts';
import { respondObject } from '../responses/respond-object.ts';

export function handleGet(
  context: RequestContext,
  target: ResourceTarget,
  { get, servedType }: { get: NonNullable<Verbs['get']>; servedType: ServedType },
): void | Promise<void> {
  const { exchange } = context;
  refuseExport(context);
  const format = outputFormat(context, servedType, context.formats.objects);
  const document = get({
    namespace: target.namespace,
    name: target.name,
    resourceVersion: context.parameter('resourceVersion'),
  });
  if (document instanceof Promise) {
    return document.then((bytes) => {
      context.reached('storage');
      respondObject(exchange, format, { status: 200, document: bytes });
    });
  }
  respondObject(exchange, format, { status: 200, document });
}

/** Exported objects could be created again as they were. Ordinary objects must not be mistaken for them. */
function refuseExport(context: RequestContext): void {
  if (booleanParameter(context, 'export') !== true) return;
  throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
}
