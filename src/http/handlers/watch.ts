import { type Clock, systemClock } from '../../meta/clock.ts';
import { FieldSelector, parseFieldSelector } from '../../meta/field-selector.ts';
import { badRequest } from '../../meta/status-error.ts';
import type { Verbs } from '../../registry/index.ts';
import { scopeLabel } from '../observation/request-labels.ts';
import { booleanParameter, integerParameter } from '../query-values.ts';
import type { RequestContext } from '../request-context.ts';
import type { ResourceTarget } from '../request-info.ts';
import { type OutputFormat, outputFormat, type ServedType } from '../responses/output-format.ts';
import { JsonWatchFormat } from '../watch/json-watch-format.ts';
import type { OpenWatches } from '../watch/open-watches.ts';
import { PlainWatchFormat } from '../watch/plain-watch-format.ts';
import { RepresentedWatchFormat } from '../watch/represented-watch-format.ts';
import type { WatchFormat } from '../watch/watch-format.ts';
import type { WatchMetrics } from '../watch/watch-metrics.ts';
import { WatchSession } from '../watch/watch-session.ts';
import { requestsWebSocket } from '../web-socket.ts';

/** Stateless, so all streams share one. */
const jsonFormat = new JsonWatchFormat();

export interface WatchLimits {
  /** Watches without a requested timeout end after this time, or up to twice as long. */
  readonly minTimeoutSeconds: number;
  readonly open: OpenWatches;
  /** The clock for timeouts and bookmarks. By default that of the machine. */
  readonly clock?: Clock;
  /** Absent when metrics are off. */
  readonly metrics?: WatchMetrics | undefined;
  /** Called for faults of the server. */
  readonly report: (error: Error, request: string) => void;
}

export function handleWatch(
  context: RequestContext,
  target: ResourceTarget,
  { watch, servedType, limits }: { watch: NonNullable<Verbs['watch']>; servedType: ServedType; limits: WatchLimits },
): Promise<void> {
  const { exchange } = context;
  const { streams, lists, custom } = context.formats;
  const accept = exchange.header('accept');
  // If a client accepts no format of a custom type at all, the error lists the formats of objects, not those of
  // streams.
  if (context.formats === custom && streams.find(accept) === undefined) lists.choose(accept);
  const format = outputFormat(context, servedType, streams);
  // Reject a value that is neither true nor false: the client may not have meant a watch.
  booleanParameter(context, 'watch');
  // Has no effect here, but must be a number.
  integerParameter(context, 'limit');
  const seconds = integerParameter(context, 'timeoutSeconds') ?? 0;
  const session = new WatchSession({
    exchange,
    type: { kind: servedType.type.kind, apiVersion: servedType.type.apiVersion },
    format: chooseWatchFormat(format, { isMessage: requestsWebSocket(exchange) }),
    mediaType: format.streamType,
    isBinary: format.encoding.encoder.isBinary,
    refusesExpired: context.compatibility.refusesExpiredWatch,
    bookmarks: booleanParameter(context, 'allowWatchBookmarks') === true,
    seconds: seconds > 0 ? seconds : Math.round(limits.minTimeoutSeconds * (1 + Math.random())),
    open: limits.open,
    clock: limits.clock ?? systemClock,
    intercept: context.interceptWatch,
    report: limits.report,
    metrics: context.resource && limits.metrics?.of(context.resource.definition),
    onInitialState: (histogram) =>
      histogram(scopeLabel(context.info, target)).observe((performance.now() - context.startedAt) / 1000),
  });
  return session.run(watch, {
    namespace: target.namespace,
    labelSelector: context.parameter('labelSelector'),
    fieldSelector: fieldSelector(context.parameter('fieldSelector'), target.name),
    resourceVersion: context.parameter('resourceVersion'),
    resourceVersionMatch: context.parameter('resourceVersionMatch'),
    sendInitialEvents: booleanParameter(context, 'sendInitialEvents'),
    continueToken: context.parameter('continue'),
    // The server's own informers can skip corrupt objects. Other clients would take the result for complete.
    skipCorrupt: exchange.eventReader !== undefined,
  });
}

/** The path of a watch may also name one object. */
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

/** `isMessage` when the protocol has message boundaries, so that the stream needs no framing. */
function chooseWatchFormat(format: OutputFormat, { isMessage }: { isMessage: boolean }): WatchFormat {
  const { encoding, representation, type } = format;
  const framing = isMessage ? encoding.encoder.message : encoding.encoder.frame;
  if (representation !== undefined) return new RepresentedWatchFormat(representation, { encoding, framing });
  return encoding.name === 'json' ? jsonFormat : new PlainWatchFormat(type, { encoding, framing });
}
