import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { transform } from 'esbuild';
import type { BareEvent, BareReady, BareResponse } from '../bare-server.ts';
import { type Bench, repositoryRoot } from '../bench.ts';
import { endChild } from '../end-child.ts';
import { makeCertificate } from './self-signed-certificate.ts';
import type { Server } from './server.ts';

const source = new URL('../bare-server.ts', import.meta.url);

export interface BareServer extends Server {
  /** Sets the response for a path. */
  addResponse(response: BareResponse): Promise<void>;
  /** Sets the event that all watchers receive with every write. */
  sendEvent(event: BareEvent): Promise<void>;
}

export async function startBareServer(bench: Bench): Promise<BareServer> {
  const { key, cert } = await bench.share(makeCertificate);
  const program = await bench.share(compileBareServer);
  const startedAt = performance.now();
  const child = fork(program, { cwd: repositoryRoot, env: { ...process.env, BARE_KEY: key, BARE_CERT: cert } });
  const stop = bench.cleanup.add(() => endChild(child, 'SIGKILL'));
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  child.once('exit', () => failed.reject(new Error('the bare server has ended')));
  const [ready] = (await Promise.race([once(child, 'message'), failed.promise])) as [BareReady];
  const send = async (message: BareResponse | BareEvent) => {
    const added = once(child, 'message');
    child.send(message);
    await Promise.race([added, failed.promise]);
  };
  return {
    pid: child.pid!,
    startMs: performance.now() - startedAt,
    target: (protocol) => ({
      host: '127.0.0.1',
      port: protocol === 'h2' ? ready.http2Port : ready.http1Port,
      ca: cert,
    }),
    stop,
    addResponse: send,
    sendEvent: send,
  };
}

/** Compiled to JavaScript like the real server, because stripping types at start-up would cost time and memory. */
async function compileBareServer(bench: Bench): Promise<string> {
  const { code } = await transform(await readFile(source), { loader: 'ts', format: 'esm' });
  const file = path.join(await bench.makeDirectory(), 'bare-server.mjs');
  await writeFile(file, code);
  return file;
}
