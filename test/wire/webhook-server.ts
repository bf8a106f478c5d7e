import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { createAuthority, issueServer, type KeyPair } from './certificates.ts';

export type WebhookCommand =
  | ({ readonly kind: 'start'; readonly ca?: string } & KeyPair)
  | { readonly kind: 'take' }
  | { readonly kind: 'release' };

/** The fields of the response, or the parameters of the webhook's mode. */
export interface WebhookResponse {
  readonly allowed?: boolean;
  readonly status?: object | number;
  readonly patch?: readonly object[];
  readonly patchType?: string;
  readonly uid?: string;
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
  readonly review?: object;
  readonly key?: string;
}

export interface SeenReview {
  readonly mode: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: reviews of every shape
  readonly review: any;
  /** The common name of the client's certificate. */
  readonly client: string | undefined;
}

/** The behaviour of a webhook: see `webhook-process.ts`. */
export type WebhookMode = 'respond' | 'raw' | 'review' | 'label' | 'hold' | 'silent' | 'reset' | 'drip' | 'large';

/** A real webhook server in another process. */
export class WebhookServer {
  readonly authority: KeyPair;
  readonly port: number;
  readonly #process: ChildProcess;

  private constructor(authority: KeyPair, port: number, process: ChildProcess) {
    this.authority = authority;
    this.port = port;
    this.#process = process;
  }

  /** `clientAuthority`: request client certificates of this CA. `address`: the name in the server's certificate. */
  static async start(options: { clientAuthority?: KeyPair; address?: string } = {}): Promise<WebhookServer> {
    const authority = await createAuthority('webhooks');
    const pair = await issueServer(authority, options.address ?? '127.0.0.1');
    const child = fork(join(import.meta.dirname, 'webhook-process.ts'), { execArgv: [] });
    const command: WebhookCommand = {
      kind: 'start',
      ...pair,
      ...(options.clientAuthority && { ca: options.clientAuthority.cert }),
    };
    child.send(command);
    const [port] = (await once(child, 'message')) as [number];
    return new WebhookServer(authority, port, child);
  }

  /** Returns the `clientConfig` of a webhook with this behaviour. */
  clientConfigFor(mode: WebhookMode, response?: WebhookResponse): { url: string; caBundle: string } {
    const parameter = response === undefined ? '' : `/${Buffer.from(JSON.stringify(response)).toString('base64url')}`;
    return { url: `https://127.0.0.1:${this.port}/${mode}${parameter}`, caBundle: this.caBundle };
  }

  get caBundle(): string {
    return Buffer.from(this.authority.cert).toString('base64');
  }

  /** Returns the reviews since the last call. */
  async take(): Promise<SeenReview[]> {
    this.#process.send({ kind: 'take' } satisfies WebhookCommand);
    const [calls] = (await once(this.#process, 'message')) as [SeenReview[]];
    return calls;
  }

  /** Resolves when the webhooks with the mode `hold` have been called this many times since the last release. */
  async holds(count: number): Promise<void> {
    for (let held = 0; held < count; ) held += (await this.take()).filter(({ mode }) => mode === 'hold').length;
  }

  /** Allows the requests that the webhooks with the mode `hold` have blocked. */
  release(): void {
    this.#process.send({ kind: 'release' } satisfies WebhookCommand);
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) throw new Error('the webhook server has failed');
    this.#process.kill();
    await once(this.#process, 'exit');
  }
}
