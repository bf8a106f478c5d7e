import { posix } from 'node:path';
import { type DocumentBounds, requestBounds } from '../../codec/document-bounds.ts';
import { formatDuration } from '../../meta/duration.ts';
import { goQuote } from '../../meta/go-quote.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { Meter } from '../../meta/meter.ts';
import { Authorization } from '../authorization.ts';
import { connectionFailure, isAfterConnect, readingFailure } from '../connection-failure.ts';
import type { HttpResponse, HttpTarget, NetworkAddress } from '../http-target.ts';
import { type MeteredCall, meteredCalls } from '../metered-calls.ts';
import { DeadlineError } from '../open-call.ts';
import type { ClientCredentials } from '../server-access.ts';
import { readReview } from './read-review.ts';
import type { WebhookTargets } from './webhook-targets.ts';

const defaultPort = 443;
const defaultUserAgent = 'kube-apiserver-admission';

/** The `clientConfig` of an object that declares a webhook. It has either `url` or `service`. */
export interface WebhookClientConfig {
  readonly url?: string;
  readonly service?: WebhookService;
  /** PEM in base64. Default: the CAs that Node.js trusts. */
  readonly caBundle?: string;
}

export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  readonly path?: string;
  /** Default: 443. */
  readonly port?: number;
}

export interface ServiceResolver {
  /** Returns where to connect to for a port of a service. Its errors are shown to users. */
  resolve(service: WebhookService & { readonly port: number }): MaybePromise<NetworkAddress>;
}

export interface WebhookCall {
  /** The review, as JSON. */
  readonly text: string;
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The limits of the review in the response. Default: those of requests to this server. */
  readonly bounds?: DocumentBounds;
}

interface WebhookErrorOptions extends ErrorOptions {
  readonly mayDependOnReview?: boolean;
}

/** A call without a usable response. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  /** Whether another review may succeed: the webhook responded in time, but with a failure. */
  readonly mayDependOnReview: boolean;

  constructor(message: string, { mayDependOnReview = false, ...options }: WebhookErrorOptions = {}) {
    super(message, options);
    this.mayDependOnReview = mayDependOnReview;
  }
}

export interface WebhookClientOptions {
  readonly services: ServiceResolver;
  /** Default: `kube-apiserver-admission`. */
  readonly userAgent?: string;
  /** The credentials for a host, with its port. By default there are none. */
  readonly credentialsFor?: (host: string) => ClientCredentials | undefined;
  /** Abort it to end pending calls and refuse others. They reject with its reason. */
  readonly stop?: AbortSignal | undefined;
  /** Counts the calls. */
  readonly meter?: Meter | undefined;
}

interface SharedClientOptions extends WebhookClientOptions {
  /** The connections, which webhooks of the same server share. */
  readonly targets: WebhookTargets;
}

/** Posts reviews to one webhook. Unlike JsonEndpoint, it does not retry. */
export class WebhookClient {
  readonly #target: HttpTarget;
  readonly #release: () => void;
  readonly #path: string;
  /** The configured text. A URL would omit the default port. */
  readonly #address: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #authorization: Authorization;
  readonly #metered: MeteredCall;
  readonly #stop: AbortSignal | undefined;

  /** Throws a WebhookError for an invalid URL. */
  constructor(
    { url = '', service, caBundle = '' }: WebhookClientConfig,
    { services, userAgent = defaultUserAgent, credentialsFor, meter, targets, stop }: SharedClientOptions,
  ) {
    this.#address = service === undefined ? urlAddress(url) : serviceAddress(service);
    const parsed = URL.parse(this.#address);
    if (parsed === null) throw new WebhookError(`Unparsable URL: ${goQuote(url)}`);
    const ca = caBundle === '' ? undefined : Buffer.from(caBundle, 'base64').toString();
    const dial = service && (() => services.resolve({ ...service, port: service.port ?? defaultPort }));
    const credentials = credentialsFor?.(`${parsed.hostname}:${parsed.port || defaultPort}`) ?? {};
    this.#authorization = new Authorization(credentials);
    const access = { ...credentials, url: parsed, ...(ca !== undefined && { ca }) };
    const { target, release } = targets.take({ access, isService: service !== undefined, dial, stop });
    this.#target = target;
    this.#stop = stop;
    this.#release = release;
    this.#path = parsed.pathname;
    this.#metered = meteredCalls(`${parsed.hostname}:${parsed.port || defaultPort}`, { meter });
    this.#headers = { accept: 'application/json, */*', 'user-agent': userAgent };
  }

  /** Returns the unchecked review of the response. Rejects with a WebhookError, or with the reason to stop. */
  async post(call: WebhookCall): Promise<Readonly<Record<string, unknown>>> {
    const { text, timeoutMs, maxResponseBytes, bounds = requestBounds } = call;
    const query = `?timeout=${formatDuration(BigInt(Math.ceil(timeoutMs / 1000)) * 1_000_000_000n)}`;
    const failed = (problem: string, options?: WebhookErrorOptions): WebhookError =>
      new WebhookError(`Post ${goQuote(`${this.#address}${query}`)}: ${problem}`, options);
    let response: HttpResponse;
    try {
      const headers = { ...this.#headers, ...call.headers, ...(await this.#authorization.header()) };
      const post = { text, headers, path: this.#path, query, timeoutMs, maxResponseBytes };
      response = await this.#metered('POST', () => this.#target.post(post));
    } catch (cause) {
      this.#stop?.throwIfAborted();
      if (cause instanceof DeadlineError) throw failed('context deadline exceeded', { cause });
      const reading = readingFailure(cause as Error);
      if (reading !== undefined) throw new WebhookError(reading, { cause, mayDependOnReview: true });
      throw failed(connectionFailure(cause as Error), { cause, mayDependOnReview: isAfterConnect(cause as Error) });
    }
    if (response.body === undefined) {
      throw failed(`the response is larger than ${maxResponseBytes} bytes`, { mayDependOnReview: true });
    }
    try {
      return readReview({ ...response, body: response.body }, bounds);
    } catch (cause) {
      throw new WebhookError((cause as Error).message, { cause, mayDependOnReview: true });
    }
  }

  /** Lets pending calls finish. Idle connections are closed if no other webhook uses them. */
  close(): void {
    this.#release();
  }
}

/** The name of the service is also the name in its certificate. */
function serviceAddress({ namespace, name, path = '', port = defaultPort }: WebhookService): string {
  return `https://${name}.${namespace}.svc:${port}${cleanPath(path)}`;
}

function urlAddress(url: string): string {
  const [, origin = '', path = ''] = /^(https:\/\/[^/?#]+)([^?#]*)/i.exec(url) ?? [];
  return `${origin}${cleanPath(path)}`;
}

/** Clients of kube-apiserver call a webhook without a final slash. */
function cleanPath(path: string): string {
  return posix.join('/', path).replace(/(?<=.)\/$/, '');
}
