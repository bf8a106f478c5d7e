import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type Bench, repositoryRoot } from '../bench.ts';
import { endChild } from '../end-child.ts';
import { makeCertificate } from './self-signed-certificate.ts';

const program = new URL('../webhook-server.ts', import.meta.url);

/** Starts a webhook that allows everything, in a process of its own. */
export async function startWebhook(bench: Bench): Promise<{ readonly url: string; readonly ca: string }> {
  const { key, cert } = await bench.share(makeCertificate);
  const child = fork(program, { cwd: repositoryRoot, env: { ...process.env, WEBHOOK_KEY: key, WEBHOOK_CERT: cert } });
  bench.cleanup.add(() => endChild(child, 'SIGKILL'));
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the webhook has ended')));
  const [port] = (await Promise.race([once(child, 'message'), ended])) as [number];
  ended.catch(() => {});
  return { url: `https://127.0.0.1:${port}/`, ca: cert };
}
