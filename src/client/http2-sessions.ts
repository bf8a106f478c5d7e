import { isIP } from 'node:net';
import tls, { type ConnectionOptions, type TLSSocket } from 'node:tls';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import { type Http2Call, type Http2Response, Http2Session, RefusedError } from './http2-session.ts';

/** Beyond this, calls wait for streams of the present sessions. */
const maxSessions = 8;
/** How often a call is repeated that the server has not processed. */
const maxRefusals = 5;
/** The calls that wait for a connection have their own, mostly shorter timeouts. */
const connectMs = 30_000;

export interface Http2SessionsOptions {
  readonly url: URL;
  /** How to verify the server, and which certificate to show. */
  readonly tls: ConnectionOptions;
  /** Names the address of each connection, if it differs from that in the URL. */
  readonly dial?: (() => MaybePromise<{ readonly host: string; readonly port: number }>) | undefined;
  /** Whether connections to the server are open that speak HTTP/1.1. */
  readonly speaksHttp1: () => boolean;
  /** Takes over the connection to a server that has chosen HTTP/1.1. */
  readonly onHttp1: (socket: TLSSocket) => void;
}

interface Attempt {
  readonly opened: Promise<Http2Session | undefined>;
  readonly controller: AbortController;
  waiting: number;
}

/** The HTTP/2 connections to one server. Usually there is one, unless the server limits the number of its calls. */
export class Http2Sessions {
  readonly #options: Http2SessionsOptions;
  readonly #sessions: Http2Session[] = [];
  #attempt: Attempt | undefined;
  #isClosed = false;

  constructor(options: Http2SessionsOptions) {
    this.#options = options;
  }

  /**
   * Makes a call, also again if the server has not processed it. Undefined if the server speaks HTTP/1.1 only. Rejects
   * at the abort.
   */
  async call(call: Http2Call, signal: AbortSignal): Promise<Http2Response | undefined> {
    for (let refusals = 0; ; ) {
      signal.throwIfAborted();
      // The call must begin in the same turn, so that it takes the room.
      const session = this.#free();
      if (session === undefined) {
        const opened = this.#options.speaksHttp1() ? undefined : await this.#open(signal);
        if (opened === undefined) return undefined;
        if (opened.isLeaving && ++refusals > maxRefusals) throw new RefusedError('the server accepts no requests');
        continue;
      }
      const response = session.call(call, signal);
      if (this.#isClosed) session.leave();
      try {
        return await response;
      } catch (error) {
        if (!(error instanceof RefusedError) || ++refusals > maxRefusals) throw error;
      }
    }
  }

  /** Lets pending calls finish. Connections of later calls are not kept. */
  close(): void {
    this.#isClosed = true;
    for (const session of [...this.#sessions]) session.leave();
  }

  #free(): Http2Session | undefined {
    const free = this.#sessions.find(({ hasRoom }) => hasRoom);
    if (free !== undefined || this.#sessions.length < maxSessions) return free;
    return this.#sessions.reduce((least, one) => (one.running < least.running ? one : least));
  }

  /** Opens a connection, or waits for the one that is being opened. It is given up when no call waits for it. */
  async #open(signal: AbortSignal): Promise<Http2Session | undefined> {
    this.#attempt ??= this.#begin();
    const attempt = this.#attempt;
    attempt.waiting++;
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await Promise.race([attempt.opened, aborted]);
    } finally {
      signal.removeEventListener('abort', abort);
      if (--attempt.waiting === 0) {
        attempt.controller.abort();
        if (this.#attempt === attempt) this.#attempt = undefined;
      }
    }
  }

  #begin(): Attempt {
    const controller = new AbortController();
    const opened = this.#connect(controller.signal);
    const attempt = { opened, controller, waiting: 0 };
    const ended = (): void => {
      if (this.#attempt === attempt) this.#attempt = undefined;
    };
    opened.then(ended, ended);
    return attempt;
  }

  async #connect(signal: AbortSignal): Promise<Http2Session | undefined> {
    const { url, tls: options, dial, onHttp1 } = this.#options;
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const address = dial === undefined ? { host, port: Number(url.port || 443) } : await dial();
    signal.throwIfAborted();
    const servername = isIP(host) === 0 ? host : '';
    const socket = tls.connect({ servername, ...options, ...address, ALPNProtocols: ['h2', 'http/1.1'] });
    socket.setNoDelay(true);
    const abort = (): void => void socket.destroy(signal.reason as Error);
    const timer = setTimeout(() => socket.destroy(new Error('no answer in time')), connectMs);
    signal.addEventListener('abort', abort, { once: true });
    try {
      await connected(socket);
      if (socket.alpnProtocol !== 'h2') {
        onHttp1(socket);
        return undefined;
      }
      const session = await Http2Session.open(socket, (ended) => this.#forget(ended));
      if (!session.isLeaving) this.#sessions.push(session);
      return session;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  #forget(session: Http2Session): void {
    const index = this.#sessions.indexOf(session);
    if (index >= 0) this.#sessions.splice(index, 1);
  }
}

/** Rejects with the error of the socket. */
function connected(socket: TLSSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      socket.off('error', reject);
      resolve();
    });
    socket.once('close', () => reject(new Error('socket hang up')));
  });
}
