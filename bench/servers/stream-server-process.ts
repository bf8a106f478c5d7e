import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type Bench, repositoryRoot } from '../bench.ts';
import { endChild } from '../end-child.ts';
import { makeCertificate } from './self-signed-certificate.ts';
import type { Server } from './server.ts';

const program = new URL('../stream-server.ts', import.meta.url);

export interface StreamServer extends Server {
  readonly port: number;
}

/**
 * Starts a server in a separate process. It sends an endless stream of bytes, or relays the stream of another server.
 */
export async function startStreamServer(bench: Bench, source?: StreamServer): Promise<StreamServer> {
  const { key, cert } = await bench.share(makeCertificate);
  const startedAt = performance.now();
  const variables = { STREAM_KEY: key, STREAM_CERT: cert, ...(source && { STREAM_SOURCE: `${source.port}` }) };
  const child = fork(program, { cwd: repositoryRoot, env: { ...process.env, ...variables } });
  const stop = bench.cleanup.add(() => endChild(child, 'SIGKILL'));
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the stream server has ended')));
  ended.catch(() => {});
  const [port] = (await Promise.race([once(child, 'message'), ended])) as [number];
  const target = { host: '127.0.0.1', port, ca: cert };
  return { pid: child.pid!, startMs: performance.now() - startedAt, port, target: () => target, stop };
}
