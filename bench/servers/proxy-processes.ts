import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type Bench, repositoryRoot } from '../bench.ts';
import { endChild } from '../end-child.ts';
import { makeCertificate } from './self-signed-certificate.ts';
import type { Server } from './server.ts';

interface Child {
  readonly pid: number;
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** Starts the server behind the proxies, on all addresses of this machine. */
export async function startProxiedTarget(bench: Bench): Promise<Child> {
  return startChild(bench, 'proxied-target.ts', {});
}

/** Starts a proxy that passes everything on to the target. */
export async function startBareProxy(bench: Bench, target: URL): Promise<Server> {
  const { key, cert } = await bench.share(makeCertificate);
  const startedAt = performance.now();
  const env = { BARE_KEY: key, BARE_CERT: cert, BARE_TARGET: target.href };
  const { pid, port, stop } = await startChild(bench, 'bare-proxy.ts', env);
  const startMs = performance.now() - startedAt;
  return { pid, startMs, target: () => ({ host: '127.0.0.1', port, ca: cert }), stop };
}

async function startChild(bench: Bench, program: string, env: Readonly<Record<string, string>>): Promise<Child> {
  const file = new URL(`../${program}`, import.meta.url);
  const child = fork(file, { cwd: repositoryRoot, env: { ...process.env, ...env } });
  const stop = bench.cleanup.add(() => endChild(child, 'SIGKILL'));
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${program} has ended`)));
  ended.catch(() => {});
  const [port] = (await Promise.race([once(child, 'message'), ended])) as [number];
  return { pid: child.pid!, port, stop };
}
