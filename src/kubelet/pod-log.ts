import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { connectionFailure, statusText } from '../client/index.ts';
import { endOf } from '../http/end-of-exchange.ts';
import type { Exchange, ResponseStream } from '../http/exchange.ts';
import type { Connect } from '../http/handlers/connect.ts';
import { commonHeaders, headersOf } from '../http/render.ts';
import { acceptWebSocket, messagesTo, requestsWebSocket } from '../http/web-socket.ts';
import { type FieldError, forbiddenValue, invalidValue, notSupportedValue } from '../meta/field-error.ts';
import { goQuote } from '../meta/go-quote.ts';
import { badRequest, internalError, invalid, StatusError } from '../meta/status-error.ts';
import { passBody } from '../proxy/pass-body.ts';
import { callKubelet, hostOf, readExplanation } from './kubelet-request.ts';
import type { Kubelet } from './kubelets.ts';
import type { PodLocator } from './pod-location.ts';

const kind = { group: '', kind: 'PodLogOptions' };
const logStreams = ['All', 'Stderr', 'Stdout'];
/** The maximum length of a forwarded error message of a kubelet. */
const maxExplanationBytes = 10_000;
const base64Protocol = 'base64.binary.k8s.io';
const webSocketProtocols = ['binary.k8s.io', base64Protocol];

interface LogOptions {
  readonly container?: string;
  readonly follow?: boolean;
  readonly previous?: boolean;
  readonly sinceSeconds?: number;
  readonly sinceTime?: string | null;
  readonly timestamps?: boolean;
  readonly tailLines?: number;
  readonly limitBytes?: number;
  readonly insecureSkipTLSVerifyBackend?: boolean;
  readonly stream?: string;
}

/** Serves `pods/log`: the log of a container as its kubelet sends it, as plain text or as messages of a WebSocket. */
export function podLog(pods: PodLocator, signal: AbortSignal): Connect {
  const agent = new https.Agent({ keepAlive: true });
  signal.addEventListener('abort', () => agent.destroy(), { once: true });
  return async (request) => {
    const { context, target, stop } = request;
    const options = request.options as LogOptions;
    const problems = problemsOf(options);
    if (problems.length > 0) throw invalid(kind, target.name, problems);
    const { container = '', insecureSkipTLSVerifyBackend: skipVerification = false } = options;
    const found = await pods.find(target, { container, skipVerification });
    if (found === undefined) {
      // The container has not logged anything yet.
      context.exchange.respond(204, commonHeaders(context.exchange), '');
      return;
    }
    const { namespace, name } = target;
    const path = `/containerLogs/${namespace}/${name}/${found.container}${queryOf(options)}`;
    const ended = endOf(context.exchange, stop);
    const log = await openLog(found.kubelet, { path, name, agent, signal: ended });
    await send(context.exchange, log, ended);
  };
}

function problemsOf({ tailLines, limitBytes, sinceSeconds, sinceTime, stream }: LogOptions): FieldError[] {
  const problems: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0) {
    problems.push(invalidValue('tailLines', tailLines, 'must be greater than or equal to 0'));
  }
  if (limitBytes !== undefined && limitBytes < 1) {
    problems.push(invalidValue('limitBytes', limitBytes, 'must be greater than 0'));
  }
  const hasTime = sinceTime !== undefined && sinceTime !== null;
  if (sinceSeconds !== undefined && hasTime) {
    problems.push(forbiddenValue('', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    problems.push(invalidValue('sinceSeconds', sinceSeconds, 'must be greater than 0'));
  }
  if (stream !== undefined && !logStreams.includes(stream)) {
    problems.push(notSupportedValue('stream', stream, logStreams));
  }
  if (stream !== undefined && stream !== 'All' && tailLines !== undefined) {
    problems.push(forbiddenValue('', '`tailLines` and specific `stream` are mutually exclusive for now'));
  }
  return problems;
}

/** Returns the query with sorted names, as Go writes it. */
function queryOf(options: LogOptions): string {
  const query = new URLSearchParams();
  for (const name of ['follow', 'previous', 'timestamps'] as const) if (options[name]) query.set(name, 'true');
  for (const name of ['limitBytes', 'sinceSeconds', 'sinceTime', 'stream', 'tailLines'] as const) {
    const value = options[name];
    if (value !== undefined && value !== null) query.set(name, `${value}`);
  }
  query.sort();
  return query.size === 0 ? '' : `?${query}`;
}

interface LogRequest {
  readonly path: string;
  /** The name of the pod. */
  readonly name: string;
  readonly agent: https.Agent;
  readonly signal: AbortSignal;
}

async function openLog(kubelet: Kubelet, { path, name, agent, signal }: LogRequest): Promise<IncomingMessage> {
  const headers = { host: hostOf(kubelet) };
  let response: IncomingMessage;
  try {
    ({ head: response } = await callKubelet(kubelet, { method: 'GET', path, headers, signal, agent }));
  } catch (cause) {
    const text = `Get ${goQuote(`https://${hostOf(kubelet)}${path}`)}: ${connectionFailure(cause as Error)}`;
    throw new StatusError({ code: 500, reason: '', message: text }, { cause });
  }
  const status = response.statusCode!;
  if (status >= 200 && status <= 206) return response;
  throw refusalOf(status, await readExplanation(response, maxExplanationBytes), name);
}

const reasons: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  422: 'Invalid',
  429: 'TooManyRequests',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

function refusalOf(code: number, explanation: string, name: string): StatusError {
  if (code === 400) return badRequest(explanation);
  if (code === 500) return internalError(explanation);
  const reason = reasons[code] ?? (code > 500 ? 'InternalError' : '');
  const message = `${statusText(code, explanation.trim())} ( pods/log ${name})`;
  return new StatusError({ code, reason, message, details: { name, kind: 'pods/log' } });
}

async function send(exchange: Exchange, log: Readable, signal: AbortSignal): Promise<void> {
  const stream = requestsWebSocket(exchange)
    ? webSocketStreamOf(exchange)
    : exchange.respondStream(200, headersOf(exchange, 'text/plain'));
  if (stream === undefined) log.destroy();
  else await passBody(log, stream, { exchange, signal });
}

/** Returns undefined when the handshake was rejected. */
function webSocketStreamOf(exchange: Exchange): ResponseStream | undefined {
  // Client messages are dropped. This limits the buffer for an incomplete message.
  const maxPayload = 64 * 1024;
  const choose = (offered: readonly string[]) => offered.find((one) => webSocketProtocols.includes(one));
  const accepted = acceptWebSocket(exchange, { choose, maxPayload });
  if (accepted === undefined) return undefined;
  if (accepted.protocol !== base64Protocol) return messagesTo(accepted, { binary: true });
  const texts = messagesTo(accepted, { binary: false });
  const write = (chunk: Buffer): boolean => texts.write(Buffer.from(chunk.toString('base64')));
  return {
    write,
    drained: () => texts.drained(),
    end: () => texts.end(),
    get closed() {
      return texts.closed;
    },
    get pendingBytes() {
      return texts.pendingBytes;
    },
  };
}
