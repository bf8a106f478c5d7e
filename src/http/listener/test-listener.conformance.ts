/** Shared by the tests of this folder: certificates, listeners and clients that are closed after each test. */
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import http2 from 'node:http2';
import https from 'node:https';
import tls from 'node:tls';
import {
  BasicConstraintsExtension,
  type Extension,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { onTestFinished } from 'vitest';
import type { Exchange } from '../exchange.ts';
import { type Listener, type ListenerOptions, startListener } from './listener.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

export interface TestPair {
  readonly cert: string;
  readonly key: string;
}

interface Issued extends TestPair {
  readonly certificate: X509Certificate;
  readonly privateKey: webcrypto.CryptoKey;
}

async function issue(name: string, extensions: Extension[], issuer?: Issued): Promise<Issued> {
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const subject = [{ CN: [name] }];
  const certificate = await X509CertificateGenerator.create({
    subject,
    issuer: issuer?.certificate.subjectName ?? subject,
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: issuer?.privateKey ?? keys.privateKey,
    extensions,
  });
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const key = `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`;
  return { certificate, cert: certificate.toString('pem'), key, privateKey: keys.privateKey };
}

const isCa = new BasicConstraintsExtension(true, undefined, true);
const ca = await issue('test-ca', [isCa]);
const otherCa = await issue('other-ca', [isCa]);
const localhost = new SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }]);
const serving = await issue('server', [localhost], ca);

export const caCert: string = ca.cert;
export const trustedClient: TestPair = await issue('jane', [], ca);
export const strangeClient: TestPair = await issue('mallory', [], otherCa);

/** A listener on a free port that is closed after the test. */
export async function listen(
  onExchange: (exchange: Exchange) => void,
  options: Partial<ListenerOptions> = {},
): Promise<Listener> {
  const { cert, key } = serving;
  const listener = await startListener({
    host: '127.0.0.1',
    port: 0,
    cert,
    key,
    clientCa: caCert,
    onExchange,
    ...options,
  });
  onTestFinished(() => listener.close());
  return listener;
}

export function connectHttp2(
  listener: Listener,
  options: http2.SecureClientSessionOptions = {},
): http2.ClientHttp2Session {
  const session = http2.connect(`https://127.0.0.1:${listener.port}`, {
    ca: caCert,
    maxSessionMemory: 1000,
    ...options,
  });
  session.on('error', () => {});
  onTestFinished(() => session.destroy());
  return session;
}

export function http1Agent(options: https.AgentOptions = {}): https.Agent {
  const agent = new https.Agent({ keepAlive: true, ca: caCert, ...options });
  onTestFinished(() => agent.destroy());
  return agent;
}

/** A TLS connection for raw bytes. */
export async function connectRaw(listener: Listener, options: tls.ConnectionOptions = {}): Promise<tls.TLSSocket> {
  const socket = tls.connect({ host: '127.0.0.1', port: listener.port, ca: caCert, ...options });
  socket.on('error', () => {});
  onTestFinished(() => {
    socket.destroy();
  });
  await new Promise((resolve) => socket.once('secureConnect', resolve));
  return socket;
}

/** All bytes that a socket receives until its end. */
export async function received(socket: tls.TLSSocket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  await new Promise((resolve) => socket.once('close', resolve));
  return text;
}

export interface TestRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: Buffer;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Buffer;
}

/** One request in either version of the protocol. Rejects when the response is incomplete. */
export type Send = (listener: Listener, request?: TestRequest) => Promise<TestResponse>;

export const sendHttp1: Send = (listener, request) => sendThroughAgent(listener, http1Agent(), request);

export function sendThroughAgent(
  listener: Listener,
  agent: https.Agent,
  request: TestRequest = {},
): Promise<TestResponse> {
  const { method = 'GET', path = '/', headers = {}, body } = request;
  return new Promise((resolve, reject) => {
    const sent = https.request({ host: '127.0.0.1', port: listener.port, agent, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

export const sendHttp2: Send = (listener, request) => sendInSession(connectHttp2(listener), request);

export function sendInSession(session: http2.ClientHttp2Session, request: TestRequest = {}): Promise<TestResponse> {
  const { method = 'GET', path = '/', headers = {}, body } = request;
  return new Promise((resolve, reject) => {
    const endStream = body === undefined;
    const stream = session.request({ ':method': method, ':path': path, ...headers }, { endStream });
    const chunks: Buffer[] = [];
    let head: http2.IncomingHttpHeaders & http2.IncomingHttpStatusHeader = {};
    stream.on('response', (response) => {
      head = response;
    });
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', reject);
    const ended = (): void => {
      if (head[':status'] === undefined) reject(new Error('no answer'));
      else if (stream.rstCode !== http2.constants.NGHTTP2_NO_ERROR) reject(new Error(`reset with ${stream.rstCode}`));
      else resolve({ status: head[':status'], headers: head, body: Buffer.concat(chunks) });
    };
    // Node.js does not close a stream whose body was not read at all.
    stream.on('end', ended);
    stream.on('close', ended);
    if (!endStream) stream.end(body);
  });
}

/** A promise with its resolve function. */
export function deferred<T = void>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
