import {
  type AuditConfig,
  type AuditMetrics,
  type AuditPolicy,
  AuditRecord,
  type AuditSink,
  sourceAddresses,
} from '../../audit/index.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import { auditIdOf } from '../audit-id.ts';
import type { SchemaOf } from '../audited-body.ts';
import { AuditedExchange } from '../audited-exchange.ts';
import { CaptureBudget } from '../captured-bytes.ts';
import type { Exchange } from '../exchange.ts';
import type { Filter, Handler } from '../pipeline.ts';
import { respondText } from '../render.ts';
import { requestAttributes } from '../request-attributes.ts';
import type { RequestContext } from '../request-context.ts';
import { isLongRunning } from '../request-info.ts';

/** The maximum total size of captured response bodies. */
const captureBudget = 64 * 1024 * 1024;

export interface RequestAuditOptions {
  readonly policy: AuditPolicy;
  readonly sink: AuditSink;
  /** Decodes bodies whose encoding does not describe itself. */
  readonly schemaOf: SchemaOf;
  /** Absent when metrics are off. */
  readonly metrics?: AuditMetrics;
}

/** Sends the audit events that the policy demands for each request to the sink. */
export class RequestAudit {
  readonly #options: RequestAuditOptions;
  readonly #budget = new CaptureBudget(captureBudget);

  constructor(options: RequestAuditOptions) {
    this.#options = options;
  }

  /** Runs after authentication. Errors thrown by later filters must be answered through `context.exchange`. */
  readonly filter: Filter = (context, next) => {
    const config = this.#decide(context);
    return config.level === 'None' ? next(context) : this.#run(context, next, config);
  };

  /** Audits a request that fails authentication and so never reaches the filter. Its response has not been sent yet. */
  readonly failedAuthentication = (context: RequestContext): void => {
    const config = this.#decide(context);
    if (config.level !== 'None') replaceExchange(context, this.#exchange(context, config, refusalOf(context)));
  };

  #decide(context: RequestContext): AuditConfig {
    const config = this.#options.policy.decide(context, namespaceAndName);
    this.#options.metrics?.decided(config.level);
    return config;
  }

  #run(context: RequestContext, next: Handler, config: AuditConfig): MaybePromise<void> {
    const { exchange } = context;
    const audited = this.#exchange(context, config);
    const recorded = audited.receive();
    // Replace it now: the deadline may respond while the log is still being written.
    replaceExchange(context, audited);
    return mapMaybe(recorded, (isRecorded): MaybePromise<void> => {
      if (audited.responded) return;
      if (isRecorded) return proceed(context, next, audited);
      this.#options.metrics?.rejected();
      refuse(exchange);
    });
  }

  #exchange(context: RequestContext, config: AuditConfig, refusal?: string): AuditedExchange {
    const { sink, schemaOf } = this.#options;
    const { exchange, info, user } = context;
    const request = {
      auditId: auditIdOf(exchange),
      path: exchange.path,
      query: exchange.query,
      verb: info.verb,
      user,
      sourceIps: sourceAddresses({
        header: (name) => exchange.header(name),
        remoteAddress: exchange.connection.remoteAddress,
      }),
      userAgent: exchange.header('user-agent'),
      target: info.target && { ...info.target, ...namespaceAndName(context) },
    };
    return new AuditedExchange(exchange, {
      record: new AuditRecord(request, { config, sink }),
      context,
      schemaOf,
      budget: this.#budget,
      isLongRunning: isLongRunning(info),
      ...(refusal !== undefined && { refusal }),
    });
  }
}

/** The namespace and name as authorizers see them. */
function namespaceAndName(context: RequestContext): { namespace: string; name: string } {
  const target = context.info.target!;
  if (context.user === undefined) return target;
  return requestAttributes(context, context.info.verb).resource ?? target;
}

function proceed(context: RequestContext, next: Handler, audited: AuditedExchange): MaybePromise<void> {
  const failed = (error: unknown): never => {
    audited.fail(error);
    throw error;
  };
  let result: MaybePromise<void>;
  try {
    result = next(context);
  } catch (error) {
    return failed(error);
  }
  return result instanceof Promise ? result.then(() => audited.settle(), failed) : audited.settle();
}

/** Later filters, and the filter that responds to errors, see the audited exchange. */
function replaceExchange(context: { exchange: Exchange }, exchange: Exchange): void {
  context.exchange = exchange;
}

/** A request that cannot be audited must not be executed. */
function refuse(exchange: Exchange): void {
  const uri = exchange.query === '' ? exchange.path : `${exchange.path}?${exchange.query}`;
  respondText(exchange, 500, `Internal Server Error: ${goQuote(uri)}: failed to store audit event\n`);
}

const bearer = /^\s*bearer /i;
const basic = /^\s*basic /i;

/** Names the kinds of credentials that the request carried, but not their content. */
function refusalOf(context: RequestContext): string {
  const { exchange } = context;
  const authorization = exchange.header('authorization') ?? '';
  const attempted = [
    ...(basic.test(authorization) ? ['basic'] : []),
    ...(bearer.test(authorization) ? ['bearer'] : []),
    ...(context.parameter('access_token') === '' ? [] : ['access_token']),
    ...(exchange.connection.clientCertificate === undefined ? [] : ['x509']),
  ];
  if (attempted.length === 0) return 'Authentication failed, no credentials provided';
  return `Authentication failed, attempted: ${attempted.join(', ')}`;
}
