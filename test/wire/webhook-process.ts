/** A webhook server as a process. The path of a request selects the behaviour. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { SeenReview, WebhookCommand, WebhookResponse } from './webhook-server.ts';

const calls: SeenReview[] = [];
/** The TCP connections by the port of the client. Only TCP connections can be reset. */
const connections = new Map<number | undefined, Socket>();
const held: WebhookCall[] = [];

process.on('message', (command: WebhookCommand) => {
  if (command.kind === 'take') process.send!(calls.splice(0));
  else if (command.kind === 'release') for (const call of held.splice(0)) respond(call, {});
  else start(command);
});

function start({ kind: _kind, ...options }: Extract<WebhookCommand, { kind: 'start' }>): void {
  const server = https.createServer(
    { ...options, ...(options.ca !== undefined && { requestCert: true, rejectUnauthorized: false }) },
    (request, response) => void handle(request, response),
  );
  server.on('connection', (socket: Socket) => connections.set(socket.remotePort, socket));
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const url = new URL(request.url!, 'https://localhost');
  const [, mode = '', parameter = ''] = url.pathname.split('/');
  const review = JSON.parse(text);
  const client = (request.socket as TLSSocket).getPeerCertificate()?.subject?.CN as string | undefined;
  calls.push({ mode, query: url.search, headers: request.headers, text, review, client });
  const configured =
    parameter === '' ? {} : (JSON.parse(Buffer.from(parameter, 'base64url').toString()) as WebhookResponse);
  modes[mode]!({ request, response, configured, review });
}

interface WebhookCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly configured: WebhookResponse;
  // biome-ignore lint/suspicious/noExplicitAny: reviews of every shape
  readonly review: any;
}

function respond({ response, review }: WebhookCall, { patch, ...fields }: WebhookResponse): void {
  const encoded = patch && { patch: Buffer.from(JSON.stringify(patch)).toString('base64'), patchType: 'JSONPatch' };
  const { apiVersion, request } = review;
  response.setHeader('content-type', 'application/json').end(
    JSON.stringify({
      kind: 'AdmissionReview',
      apiVersion,
      response: { uid: request.uid, allowed: true, ...encoded, ...fields },
    }),
  );
}

const modes: Readonly<Record<string, (call: WebhookCall) => void>> = {
  /** Responds with these fields in the response. */
  respond: (call) => respond(call, call.configured),
  /** Responds with exactly this body. */
  raw({ response, configured }) {
    response.writeHead(configured.status as number, configured.headers).end(configured.body);
  },
  /** Responds with a complete review, in which `UID` stands for that of the request. */
  review({ response, configured, review }) {
    response.end(JSON.stringify(configured.review).replaceAll('"UID"', JSON.stringify(review.request.uid)));
  },
  /** Adds a label unless the object already has it. */
  label(call) {
    const { key } = call.configured;
    const { labels } = call.review.request.object.metadata;
    if (labels?.[key!] !== undefined) return respond(call, {});
    const path = labels === undefined ? '/metadata/labels' : `/metadata/labels/${key}`;
    respond(call, { patch: [{ op: 'add', path, value: labels === undefined ? { [key!]: 'x' } : 'x' }] });
  },
  /** Responds when the request is released. */
  hold: (call) => void held.push(call),
  silent() {},
  reset: ({ request }) => void connections.get(request.socket.remotePort)!.resetAndDestroy(),
  /** Sends one byte at a time, without an end. */
  drip({ response }) {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 50);
    response.on('close', () => clearInterval(timer));
  },
  large({ response }) {
    response.end(Buffer.alloc(10 * 1024 * 1024, 0x20));
  },
};
