import { FieldSelector, parseFieldSelector } from '../../meta/field-selector.ts';
import { apiVersionOf } from '../../meta/group-version.ts';
import { badRequest } from '../../meta/status-error.ts';
import type { Resource, Verbs } from '../../registry/index.ts';
import { negotiator } from '../object-negotiation.ts';
import type { RequestContext } from '../request-context.ts';
import { flag, type ResourceTarget } from '../request-info.ts';
import type { OpenWatches } from '../watch/open-watches.ts';
import { WatchSession } from '../watch/watch-session.ts';
import { integerParameter } from './list.ts';

export interface WatchLimits {
  /** Watches without a timeout of their own end after this and up to twice as long. */
  readonly minTimeoutSeconds: number;
  readonly open: OpenWatches;
}

export function handleWatch(
  context: RequestContext,
  target: ResourceTarget,
  { resource, watch, limits }: { resource: Resource; watch: NonNullable<Verbs['watch']>; limits: WatchLimits },
): Promise<void> {
  const { exchange, query } = context;
  negotiator.choose(exchange.header('accept'));
  // Means nothing here, but has to be a number all the same.
  integerParameter(context, 'limit');
  const seconds = integerParameter(context, 'timeoutSeconds') ?? 0;
  const { kind, group, version } = resource.definition;
  const session = new WatchSession({
    exchange,
    type: { kind, apiVersion: apiVersionOf({ group, version }) },
    bookmarks: flag(query, 'allowWatchBookmarks') === true,
    seconds: seconds > 0 ? seconds : Math.round(limits.minTimeoutSeconds * (1 + Math.random())),
    open: limits.open,
  });
  return session.run(watch, {
    namespace: target.namespace,
    labelSelector: context.parameter('labelSelector'),
    fieldSelector: fieldSelector(context.parameter('fieldSelector'), target.name),
    resourceVersion: context.parameter('resourceVersion'),
    resourceVersionMatch: context.parameter('resourceVersionMatch'),
    sendInitialEvents: flag(query, 'sendInitialEvents'),
    continueToken: context.parameter('continue'),
  });
}

/** The path of a watch may name one object, too. */
function fieldSelector(text: string, name: string): string {
  if (name === '') return text;
  const selector = parseFieldSelector(text);
  if ((selector.requiredValue('metadata.name') ?? name) !== name) {
    throw badRequest("fieldSelector metadata.name doesn't match requested name");
  }
  return new FieldSelector([
    ...selector.requirements,
    { field: 'metadata.name', operator: '=', value: name },
  ]).toString();
}
