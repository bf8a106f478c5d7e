import type { Bench } from '../bench.ts';
import { makeCertificate } from './self-signed-certificate.ts';
import { startChild } from './start-child.ts';

/** Starts a webhook that allows everything, in a separate process. */
export async function startWebhook(bench: Bench): Promise<{ readonly url: string; readonly ca: string }> {
  const { key, cert } = await bench.share(makeCertificate);
  const { message: port } = await startChild<number>(bench, 'webhook-server.ts', {
    WEBHOOK_KEY: key,
    WEBHOOK_CERT: cert,
  });
  return { url: `https://127.0.0.1:${port}/`, ca: cert };
}
