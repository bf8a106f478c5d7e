import type { Bench } from '../bench.ts';
import { makeCertificate } from './self-signed-certificate.ts';
import type { Server } from './server.ts';
import { type Child, startChild } from './start-child.ts';

/** Starts the server behind the proxies, on all addresses of this machine. */
export function startProxiedTarget(bench: Bench): Promise<Child<number>> {
  return startChild(bench, 'proxied-target.ts');
}

/** Starts a proxy that passes everything on to the target. */
export async function startBareProxy(bench: Bench, target: URL): Promise<Server> {
  const { key, cert } = await bench.share(makeCertificate);
  const startedAt = performance.now();
  const env = { BARE_KEY: key, BARE_CERT: cert, BARE_TARGET: target.href };
  const { pid, message: port, stop } = await startChild<number>(bench, 'bare-proxy.ts', env);
  const startMs = performance.now() - startedAt;
  return { pid, startMs, target: () => ({ host: '127.0.0.1', port, ca: cert }), stop };
}
